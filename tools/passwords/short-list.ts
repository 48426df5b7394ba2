/**
 * 512 common names of things, 9 bits each, made for this project and sorted. The first four letters name the
 * word, no two are one slip of a finger apart, and none sounds like another English word. The list never
 * changes: tests hold its rules and its digest.
 */
export const WORDS: readonly string[] = `
  acorn acrobat album alder alley almond aloe amber anchor ankle antler apple apron arrow aspen atlas
  attic awning baby badge bagel bakery balcony balloon bamboo banana bandage banjo banner barn basin
  basket bath beacon bedroom belt bench bicycle biscuit bison blanket blazer blimp blossom blouse bongo
  bonnet booth bottle bouquet braid breeze brick bridge bronze broom brush bubble bucket bugle bundle
  button cabbage cabin cactus cage camera canal candy canoe canyon capsule carpet cartoon castle cavern
  celery cello chair chef chess chicken chimney chisel cinema circus clay cliff closet cloud clover coach
  cobra cobweb cocoa coffee coin comb comet compass cone cookie copper cotton cowboy coyote crab crate
  crayon cricket crown crystal cupcake curtain daisy dancer denim dentist desk diamond dinner dish doctor
  dolphin donkey door dove dragon drawer dress drill drum duck dust eagle earring easel elbow emerald
  engine eraser falcon farm fence fern fiddle field finch finger fire fjord flag flannel flask flute foam
  folder foot forest fork fossil frame frog frost galaxy gallery garage garden garlic gecko gift giraffe
  glacier glass glove glue goat goblet gold gondola goose gorge grape gravel guitar hallway hammer hamster
  harness harp harvest hedge helmet heron highway hill hive hockey holly honey hook horizon horn hotel
  house hydrant hyena iceberg igloo iguana iris iron island ivory jacket jaguar jasmine jigsaw journal
  juice jungle kayak kazoo kelp kennel kettle kimono king kitchen kite kitten kiwi knee koala label ladle
  lagoon lake lamp lantern laptop laurel lawn leash leather lemon lemur leopard letter library lily lime
  lion loaf lobster lock loft lotus lunch machine magpie mailbox mango mansion maple marble marker marlin
  marsh meadow melon menu mermaid milk mirror moon moth muffin museum mustang nail napkin nectar needle
  newt noodle nugget nutmeg oasis oatmeal oats ocean octopus olive onion onyx orange orchid oval oven
  oyster paint palace palm pancake paper parade parcel parrot pasta patio peach peanut pebble pecan
  pelican pencil penguin pepper perfume photo piano pickle picnic piglet pillow pilot pipe pizza plaid
  planet platter pliers pocket pollen poncho pony pool popcorn poster potato pottery powder prism puddle
  pulley pumpkin puppy purse puzzle pyramid quilt rabbit raccoon radar radio raft rainbow raisin ranch
  ranger raven ravine rhino ribbon rice river robin robot rodeo roof rooster ruby rudder ruler runway
  saddle safari salad salmon salsa sand saucer sauna scarf school scooter scroll seal sesame shampoo shark
  shawl sheep shell sheriff shield ship shirt shorts shovel shower shrimp silo silver slate sled sleeve
  slipper snack snake snow soccer soda soil soup sparrow sphere sphinx spider spinach sponge spoon sprout
  spruce squash squid stadium stamp statue stick stone stripe subway sugar summit sunrise sunset sushi
  swan sweater syrup table taco tadpole taxi teacher teapot tennis tent thread thumb thunder tiara ticket
  tiger tile tinsel toast tomato torch tornado tower tractor train tray tree tripod trophy trout trumpet
  trunk tube tulip tundra tunnel turkey turnip turret turtle unicorn valve vanilla vase velvet vest video
  village vine violet volcano waffle wagon wallet walnut walrus watch water weaver wheat whistle window
  winter wizard wolf wreath wrist yacht yard zebra zinc zipper
`
  .trim()
  .split(/\s+/);
