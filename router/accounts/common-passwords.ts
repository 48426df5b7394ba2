/**
 * The passwords that people choose most, in small letters, as far as they are long enough here: the first 3,000 of
 * those in `100k-most-used-passwords-NCSC.txt` of SecLists, which is in the order of how often each was found in leaks,
 * and all of those in `@zxcvbn-ts/language-common`.
 */
const COMMON = `
  ********** 0.00000000 0000000000 000000000000 0000000000d 0000000000o 000777fffa 000webhost 0102030405
  010203040506 011151zangetsu 0123456789 01234567890 012345678910 0123654789 0123698745 014702580369
  0147258369 0147852369 0147896325 0192837465 01telemike01 050605rostik 05081980bija 0931541082 0987654321
  0987654321a 0987654321q 0cdh0v99ue 0icotpd785 0o9i8u7y6t 0r968ji9ufj6 1,00001e+14 1010101010 1020304050
  102030405060 1029384756 1029384756q 10293847qp 10987654321 11-05-1992 1111111111 11111111111 111111111111
  111111111111111 1111111111zz 1111122222 11111aaaaa 1112131415 111222333000 111222333444555 111222333a
  111222tianya 111zabavina 1122112211 1122334455 112233445566 1123581321 1133557799 1211109032 1212121212
  1212312121 1213141516 1223334444 122333444455555 1231231231 123123123123 123123123a 123123123q 123123qweqwe
  123321123321 1233211234567 123321456654 123321qweewq 123412341234 1234509876 1234512345 1234554321
  1234554321a 1234554321q 123456123456 1234562000 12345654321 123456654321 12345672000 12345677654321
  123456782000 1234567887654321 123456789* 123456789+ 123456789. 1234567890 1234567890- 1234567890-=
  12345678900 123456789000 12345678900987654321 12345678901 123456789012 1234567890123 12345678901234567890
  1234567890987654321 1234567890a 1234567890d 1234567890l 1234567890m 1234567890o 1234567890p 1234567890q
  1234567890qaz 1234567890qw 1234567890qwe 1234567890qwerty 1234567890qwertyuiop 1234567890s 1234567890w
  1234567890z 1234567890zzz 1234567891 12345678910 123456789101 1234567891011 123456789101112 12345678912
  123456789123 123456789123456 1234567891234567 123456789123456789 1234567892000 1234567898 12345678987654321
  1234567899 123456789987 123456789987654321 123456789@ 123456789a 123456789aa 123456789aaa 123456789abc
  123456789as 123456789asd 123456789b 123456789c 123456789d 123456789e 123456789f 123456789g 123456789h
  123456789i 123456789j 123456789k 123456789l 123456789m 123456789n 123456789o 123456789p 123456789q
  123456789qaz 123456789qq 123456789qqq 123456789qw 123456789qwe 123456789qwer 123456789qwerty 123456789r
  123456789s 123456789t 123456789v 123456789w 123456789x 123456789y 123456789z 123456789zx 123456789zxc
  123456789zz 12345678qwe 1234567qwe 1234567qwertyu 123456abcd 123456asdf 123456love
  123456prof_root2.sql.txt:, 123456prof_root3.sql.txt:, 123456qwer 123456qwert 123456qwerty 123456zxcvbn
  12345abcde 12345asdfg 12345qazwsx 12345qwert 12345qwert7 12345qwerty 12345trewq 12345zxcvb 1234qwerasdf
  1234qwerasdfzxcv 1234qwerty 1236547890 123654789a 123admin32 123admin321 123admin321a 123ewqasdcxz
  123hfjdk147 123myspace 123password 123qwe123qwe 123qwe456rty 123qweasdz 123qweasdzx 123qweasdzxc
  123qwerty123 12andriy14 12qw34er56ty 1324354657 132forever 13301827475 1346798520 1357908642 1357913579
  1357924680 1357997531 1357reti99 13587930210 1420839army 1472583690 147258369a 1590736tany 159753159753
  1597532486 159753456852 17171717aa 18atcskd2w 18n28n24a5 1928374655 192837465q 193570356033 1958proman
  1986irachka 1994200414 19952009sa 19960610ilja 19mtpgam19 1a2a3a4a5a 1a2a3a4a5a6a 1a2b3c4d5e 1a2s3d4f5g
  1a2s3d4f5g6h 1asdfghjkl 1basketbal 1butterfly 1chocolate 1christian 1elizabeth 1fptjtl919 1fr2rfq7xl
  1life2live 1pass1page 1password1 1q2q3q4q5q 1q2w3e4r5t 1q2w3e4r5t6 1q2w3e4r5t6y 1q2w3e4r5t6y7u
  1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o 1q2w3e4r5t6y7u8i9o0p 1q3e5t7u9o 1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qaz2wsx3e
  1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazwsxedc 1qazxsw23edc 1qazxsw23edcvfr4 1qwertyuio 1qwertyuiop 1sexybitch
  1superstar 1urkilbth674 1v7upjw3nt 1z2x3c4v5b 1zn6fpn01n 1zn6fpn01x 2000comeer 20070509031 2012comeer
  20162016up 2143658709 2222222222 23176djivanfros 23wkoa0fp78dk 2416101113 2468013579 2606642yra 26429vadim
  299kgj8hgf 2cxdn8s271 2daughters 2dumb2live 2gelaf3h4a 2kroliczek 2pacshakur 2q2w3e8r5t 3106934abc
  31081981rs 31217221027711 3141592654 31x7t5xbke 3216732167 32615948worms 3333333333 3526535265 38gjgeuftd
  3ans97t397 3d8cubaj2e 3daysgrace 3doorsdown 3f3fpht7op 3odi15ngxb 3qdlqb49js 3rjs1la2qe 3rjs1la7qe
  3rjs5la8qe 3s43pth5aea 3syqo15hil 3tutso24qf 413276191q 41d8cd98f00b 420842084208555 421uiopy258 4294967296
  42qwerty42 44442013vkkv 4444444444 4815162342 4815162342a 4815162342lf 4815162342lost 4815162342q
  4904s677075 51051051051 520love101182 541233432442 5432112345 5532361cnjqrf 5544332211 5555555555 5845201314
  5845211314 5858855abc 59382113kevinp 5hsu75kpot 5plk4l5uc7 5t4r3e2w1q 5x1cjdsb9p 5xfgs3ii9d 5xq57cgseb
  61atnakaeva 6215mila6215 6666666666 671fsa75yt 6hbf28w791 70142021103 70780070780 7410258963 7418529630
  742617000027 7777755102q 7777777777 777dashuta157 7894561230 789456123a 789456123q 79621601378.kirill
  7elephants 7jokx7b9du 7ugd5hip2j 8-9899578642 80070633pc 80173rroom5 80361665abc 80637852730 8096468644q
  80972694711 80988218126 830928urodziny 87654321vv 87e5nclizry 88002000600 8888888888 89015173454 89032073168
  89057003343 89058895869cth 89063032220m 89132664230 89140041205 89172735872 89173371487v 89181502334
  89211375759 89217657066 89231243658s 89600506779 89614774181 89876065093rax 89semtsriuty 8ix6s1fceh
  8phrowz622 8phrowz624 9085084232 9085603566 9121318barssuki 9198425200 9268356683 9293709b13 92k2cizcdp
  9508402243id 9602929770 9638527410 9731553197 9874563210 9876543210 9876543211 987654321a 987654321g
  987654321q 987654321z 989244342a 9988776655 999111999q 9999999999 99strenght 9z5ve9rrcz <password>
  ?????????? ??????@mail.ru @bigmir.net @yahoo.com a123456789 a1234567890 a1a2a3a4a5 a1b2c3d4e5 a1s2d3f4g5
  a1s2d3f4g5h6 a3eilm2s2y a789456123 a987654321 aa123456789 aaaaaaaaa1 aaaaaaaaaa aaaaaaaaaaaa abc1234567
  abc123456789 abcd123456 abcde12345 abcdefg123 abcdefghi1 abcdefghij abercrombie abracadabra abrakadabra
  absolutely accountant accountbloc accounting aceeva.irina activation ad12345678 adams33486 admin18533362
  adminadmin administrator adrenaline aerosmith1 aezakmi123 afghanistan afrika2002 agnieszka1 ahbird1984
  ahmed_orudzhov ajcuivd289 ajnjuhfabz akademiks11 akkolesnikov aksenov.dms aksjdlasdakj89879 aksrms8010
  alabama123 albina-1945 alejandra1 alejandro1 alejandro2 aleks-270379 aleksander aleksandr.ustinov.2012
  aleksandra aleksej.shorin.86 aleksis1611 alena_plotnikova_1995 alessandra alessandro alexander0 alexander1
  alexander2 alexander3 alexander7 alexander9 alexandra1 alexandra2 alexandre1 alexandria alexsander
  alija-gatina0 alinaalina alisaalisa aliya.mutallapova alkanaft123 allahakbar allahuakbar allrecipes
  almario927 almaz_kiramov alpha135792468 alphabravo alphaomega alternativa alternative am4h39d8nh
  amadeusptfcor ambassador amdturion64 america123 ametistfatal amoreterno amsterdam1 an4oys12120
  an83546921an13 anastasia1 anastasija anastasiya anderlecht andi121382 andrei_rew andrewjackie andrey-1983_08
  andrey.shalanov andrey1412ua andrey1992 andreyka.gorshkov.98 andreyka.zhilin.1981 andromeda1 andruhova.1982
  angarova81 angel12345 angelangel angelbaby1 angeleyes1 angelface1 angelgirl1 angelique1 angelochek
  angelofwar angelseye22 angelwings animal2000 anna.savickaya.1986 annabelle1 annywka_86 antananarivu
  anthony123 antichrist antoinette antonichmeli antonio123 antsiferova1973 antusenok_zhekonya anytimetoday
  apalkova.tatiana apocalypse apokalipsis applejuice applesauce aquamarine aqwleeb_6e0pk59 arabella24630
  aram198309 arcobaleno argentina1 ari-kyarova arina-sharapova-80 arividerchi_shatalov armageddon armorgames
  armstrong1 armyach-aleksandra arschloch1 arsenal123 arsik-di-noxcho95 artemartem arturamirov89 asabsmelik5g
  asassin1997 asd123asd123 asdasdasd1 asdasdasdasd asdf123456 asdfg12345 asdfgh123456 asdfghjkl0 asdfghjkl1
  asdfghjkl12 asdfghjkl123 asdfghjkl2 asdfghjkl: asdfghjkl:&#39: asdfghjkl; asdfghjkl;&#39; ashishbiyani
  asil.dovlatov.1982 asshole123 astalavista astonmartin astonvilla astra334566 auckland2010 aug!272010
  australia1 australien avalanche1 avetisyanartur avkhachev78 avrillavigne avto55.rus awdrgyjilp awesome123
  awo8rx3wa8t aylyan2001 azefirov.inno1987.r azerbaijan azerbaycan azertyuiop azsxdcfvgb aztyvl_ka44ze
  azwebitalia b123456789 babemagnet babyboy123 babycakes1 babygirl01 babygirl06 babygirl07 babygirl08
  babygirl09 babygirl10 babygirl11 babygirl12 babygirl13 babygirl14 babygirl15 babygirl16 babygirl17
  babygirl18 babygirl19 babygirl20 babygirl21 babygirl22 babygirl23 babygirl24 babygirl25 babygirl69
  babygurl01 babygurl10 babygurl12 babygurl13 babygurl14 babygurl15 babygurl16 backspace1 backstreet
  bad_boys_adience badakhshan badiman28200 badnaamhere badoobadoo baili123com bakuman.manga.drawing balentinra
  baltimore1 bandidas747 bangladesh barbarossa barbiedoll barbiegirl barcelona1 barcelona2 baronessa87
  bartender1 baseball01 baseball07 baseball08 baseball09 baseball10 baseball11 baseball12 baseball13
  baseball14 baseball15 baseball16 baseball17 baseball18 baseball19 baseball20 baseball21 baseball22
  baseball23 baseball24 baseball25 baseball27 baseball33 baseball44 baseball99 basketbal1 basketbal9
  basketball basketball1 basketball23 bassmaster basti_1014 battlefield battlestar bazueva.1990 bball4life
  bbbbbbbbbb beastmode1 beautiful! beautiful1 beautiful2 beautiful3 beautiful7 beethoven1 beethoven9
  belinova14 belladonna bellissima bellissimo beloved_a_devil benjamin12 benjamin15 berezuckiy berlin1945
  bernadette bestfriend bestfriends betsynx0kof bettyboop1 bettyboop2 bhrh0h2oof6xbqjeh biblioteka bigbrother
  bigdaddy69 bigpimpin1 billabong1 billiejoe1 birdhouse1 birmingham birthday10 birthday100 birthday133
  birthday21 birthday26 birthday27 birthday28 birthday299 birthday36 birthday54 bismillah1 blablabla1
  blackadder blackangel blackangel09021 blackberry blackbird1 blackcat123 blackdragon blackhawk1 blackhawks
  blackheart blackhorse blackjack1 blackjack2 blacklabel blackmagic blackmetal blackpearl blackrose1
  blacksheep blacksonblon blackwater blackwhite bladerunner blahblahblah blingbling blitzkrieg blkdrag0ns
  blood4life bltynbabrfwbz blueberry1 bluedevils bluedragon blyad_be_90 bmvm3e46gtr bobesponja bobmarley1
  boguska123 bolatov.almaz bolno_18035 bolshoj_zmej bondarenko borec123654 boredboi4u borismf5tsh bot_schokk
  bowling300 boy1cool23 boy4u2ownnyc boyfriend1 bpgjldsgjldthnf brandon123 braveheart breakdance brianna123
  brinchen23 brittany11 brittany12 broadband1 brokenhear brooklyn12 brooklynn1 browneyes1 brownpride
  brownsugar brucewayne bubblegum1 bubblegum2 bubbles123 budweiser1 bugsbunny1 bujhmbujhm bulka-a-shah
  bullnuts2003 bullrider1 bullwinkle bumblebee1 burchenkovi burgerking bushmaster businessbabe butterball
  butterbean buttercup1 buttercup2 butterflies butterfly! butterfly0 butterfly1 butterfly2 butterfly3
  butterfly4 butterfly5 butterfly6 butterfly7 butterfly8 butterfly9 bvncnbnvvbn bvp33w7epu bwfq23jp7f
  byajhvfnbrf c123456789 c43dae874d c43qpul5rz c7e4f8ezqh calculator california california1 callofduty
  callofduty4 cameron123 candycane1 candyeater candyfinger candyfloss candygirl1 candyland1 cannondale
  capitals11 capricorn1 capricornio cardinals1 carebears1 carolina12 carpediem1 carpenter1 casablanca
  cashmoney1 cassandra1 caterpillar catherine1 ccopacell1 cds04121989 ceckbrcerfkbxyjcnm2 cegthgegth
  cegthgfhjkm celinesimon cellphone1 celtic1888 cepetsugih cfkfvfylhf cghfdjxybr cgtwbfkbcn ch_vitalij
  challenger change1234 chantelle1 chargers21 charles123 charleston charlie111 charlie123 charlotte1
  charly2004 charmander cheburashka cheerleade cheerleader cheerleaers cheeseburger cheesecake cheguevara
  chelle1234 chelsea123 chelseafc1 chemistry1 chessmaster chester123 chesterfield chevrolet1 chicharito
  chicken123 chickenwing101 chihuahua1 chinchilla chocolate! chocolate. chocolate0 chocolate1 chocolate123
  chocolate2 chocolate3 chocolate4 chocolate5 chocolate6 chocolate7 chocolate8 chocolate9 chrisbrown
  christelle christiaan christian0 christian1 christian2 christian3 christian7 christiane christina1
  christina2 christine1 christine2 christmas1 christmas2 christoph89 christophe christopher christopher1
  chronic420 chucha0810 chupakabra cincinnati cinderella civilization cjdthitycndj cjmasterinf classof200
  classof201 clementine cleopatra1 cleveland1 clubpenguin cm6e7aumn9 cnfc35762209 cnfnbcnbrf cnjvfnjkju
  cocacola12 coccinella cockgobbler cocksucker cocochanel collection combat123654 comicbookdb comicbooks
  commander1 commercial communication compatible computador computadora computer11 computer12 computer123
  concepcion confidence configuratio connection constance626boilard1987 constantin constantine construction
  contortionist contrasena controller cookiemons cookiemonster cookies123 cool123456 coolbeans1 cooldude09
  coorslight copenhagen cordell123 coregmedia corperfmonsy corporation cosmopolitan costarica1 counterstrike
  countryboy countrygir couponsc10 courtney12 cowboys123 crackhead1 crazybitch crazygirl1 crazyhorse
  crepusculo cristiano7 cristopher crystal123 ctdfcnjgjkm cuntfinger cupcake123 cutiepie12 cvzefh1gkc
  cxfcnkbdfz cxfcnmttcnm cyberonline cyecvevhbr cyjdsvujljv cytuehjxrf cyy813zrvr d0r1nc0urt d123456789
  d2xyw89sxj d71lwz9zjs d9160847880 d9zufqd92n daddygirl1 daddysgirl damira.shagabutdinova dance4life
  dangerous1 dangerous12 daniela123 danielle12 dantheman1 daredevil1 darkangel1 darkknight darthvader
  dashadasha davidstrokov dbrnjhjdbx dbrnjhjdyf dctvcjcfnm dctvghbdtn dddddddddd deathmetal deathnote1
  december10 december11 december12 december13 december14 december15 december16 december17 december18
  december19 december20 december21 december22 december23 december24 december25 december26 december27
  december28 december29 december30 december31 deeppurple deepthroat deerhunter defender101 dei3mutter
  delicious1 delirium9111 delpiero10 deltaforce demilovato demolition demon12345 demon1q2w3e demon1q2w3e4r
  demon1q2w3e4r5t denis_nazarenko department depechemode derector-85 description desperados destiny123
  destruction detroit313 deutschland devastator devildriver devilmaycry devilmaycry4 dfg5fhg5vgfh1 dfktynbyrf
  dhjnvytyjub diamond123 dianochka1924 dictionary difference digitalprodu dima199219921 dimafilippov
  dimas34rus dimitr692010 dimlimonov dimulya.vasilenko diosesamor diosesfiel discovery1 disneyland disturbed1
  diwtgm8492 djljghjdjl dkflbdjcnjr dkflbvbhjdbx dkflbvbhjdyf dkxjizc282 dmiller12as dmitrii-skargo
  dmitrij.mironov2014 dodgeviper doggystyle dogphil3650 dolgushina.76 dolphins13 domainlock2005 domination
  dominican1 dominique1 domodedovo donaldduck donkeykong dontforget doodlebug1 doomsayer.2.7mords.v
  doomsayer.2.7mords.vv dortmund09 douchebag1 dovbeshkosushova.1972 dragonball dragonballz dragonfire
  dragonfly1 dragonforce dramaqueen dreamonline drozdovaksusha drpepper23 drumandbass dtynbkznjh dumbledore
  dunnowho89 duranduran dymkovpavel e-eremeeva1976 e.ovcharova e123456789 e6pz84qfcj eanovozhilov earnhardt3
  eastenders eastside13 eduardo123 education1 edwardcull edwardcullen edxk20qmfs ee19920528 efbcapa201
  efimkin_igor eghfdktybt egor.vasilin egorov_maxim eh1k9oh335 ejaculation ekaterina20 elcubano1893a
  electrical electronic electronics element123 elenanesterova elisabeth1 elisabetta elizabeth! elizabeth0
  elizabeth1 elizabeth2 elizabeth3 elizabeth4 elizabeth5 elizabeth6 elizabeth7 elizabeth8 elizabeth9
  elsalvador elvira198927 emachines1 emmanuelle emmawatson emo_limonad employment engel00007 engineering
  enterprise entertainment eqes606898 eremei_vasechkin ernestsantikov escaflowne esmeralda1 esperanza1
  estrellita ethanryan01 etnxtxsa65 eudlekb645 evanescence evangelion evergreen1 everything
  evgenii-shenderovich evial_marina evolution1 excellence exit_window experience experienced eybdthcbntn
  ezekiel11989 ezekiel11991 f123456789 f1uuhza723 faca210898 facebook12 fallen_angel fallenangel falloutboy
  famar219948 familiyafamiliya familyguy1 fantastic1 fantastic4 farfallina fartripper fatima753357 fbu89bxx5f
  fcbarcelona fcnfkfdbcnf fdnjhbpfwbz feder_1941 fedorov717 fedotovsa76 felicidade felix.1957 fenerbahce
  fenohasina39 fernandez1 ffffffffff fggjkbyfhbq007 fgjkbyfhbz fgjrfkbgcbc fgjrfkbgcbc34 fighting54
  filatov_and filatovaev1981 finalfantasy findaupair007 fiorellino fiorentina firefighter firestarter
  firstone123 fishbaracuda fisherman1 fishfinger fishing123 fitzgerald fjodorova-natashenka fkg7h4f3v6
  fkmnthyfnbdf fktrcfylh1 fktrcfylhf fktrcfylhjd fktrcfylhjdbx fktrcfylhjdf fktrcfylhjdyf fktrcfylth
  flatblocker flintstone florentina florida123 flowerpower flowers123 flvbybcnhfnjh football01 football07
  football08 football09 football10 football11 football12 football123 football13 football14 football15
  football16 football17 football18 football19 football20 football21 football22 football23 football24
  football25 football26 football27 football28 football30 football31 football32 football33 football34
  football42 football44 football45 football50 football51 football52 football54 football55 football56
  football66 football69 football72 football75 football77 football81 football88 football95 football99
  forever123 foreverlove foreveryou foreveryoung forgetmenot forgotten1 formatters forzainter forzamilan
  forzanapoli fotinia-66 fotografia foundation fourteen14 foxracing1 fqrg7cs493 francesca1 francesco1
  francisco1 frankie123 frankzappa frederick1 frederiksberg freedom123 freelancer freestyle1 freyfvfnfnf
  friendofemily friendofgerly friendofjoan friends123 friends4ev friendship friendster fripouille froinlaven
  fromvermine frozenfish fu7u4a#$$$ fuck_inside fuckinside fucklove12 fucklove13 fuckmehard fuckmylife
  fuckoff123 fuckoff666 fuckthemall fuckthewor fucktheworld fuckthroat fuckubitch fuckyou123 fuckyou420
  fuckyou666 fuckyouall fuckyoubit fuckyoubitch fuckyouguys fufnfrhbcnb fullaccess fullmetal1 funnybunny
  fxzz75$yer fyfcnfcbz1 fyfnjkmtdbx fyfnjkmtdyf fynfyfyfhbde fyujk.fyukf.87 g123456789 g13916055158 g9l2d1fzpy
  g_alisa1502 gaar_vitalik73 gabriel123 gabriella1 gabrielle1 gadjieva.gulmira galatasara galatasaray
  galina-davidyuk galina9181 galinka_korneeva gamecocks1 gamemaster gangbanged gangsta123 gangster12
  gatekeeper gatina_albina gblfhfcbyf gearsofwar generation georgetown geraldine1 gerardway1 gerasimova
  gettherefast gettysburg gfhfcjkmrf gfhfktkjuhfv gfhfvgfvgfv gfhjkmgfhjkm gggggggggg ghalina_1971 ghbdtndctv
  ghbdtnghbdtn ghbdtngjrf ghbdtnrfrltkf gheniagabb ghhh47hj764 ghhh47hj7649 ghjatccbjyfk ghjcnbnenrf
  ghjcnbvtyz ghjcnjabkz ghjcnjgbpltw ghjcnjgfhjkm ghjcnjghjcnj ghjcnjnfr1 ghjcnjqgfhjkm ghjcnjrdfibyj
  ghjcnjrdfif ghjgfufylf ghjnbdjcnjzybt ghjnbdjufp ghjrehfnehf ghjrjgtyrj ghjuhfvbcn ghjuhfvvbcn gholovach75
  ghostrecon ghostrider ghrimachiova64 ghtdtlvtldtl ghusieva1958 gidrometeoburo gigaman8891 gilbert2707
  girlfriend girlpower1 girlsrule1 girlygirl1 giuseppina gjdtkbntkm gjhjlfcjqrb gjikbdctyf gjkysqgbpltw
  gjyjvfhtdf gjytltkmybr gladiator1 glafira110169 glamorous1 godblessme goderdzikarxjxv godfather1 godisgood1
  godisgreat godislove1 godlovesme godschild1 godzils4s7 gofman_osk goldfinger golfcourse golovizina_elena
  golubinskij.87 goluboglazka08 good123654 goodfellas goodmorning goodtimes1 google.com googletester
  gordolee85 gossipgirl grandmaster grandorgue grasshopper greedisgood greenapple greenday12 greeneyes1
  greengrass greengreen greenhouse greenlantern grenouille gribouille grimreaper grishin0308 groupd2013
  gtavicecity gthtcnhjqrf gthtrfnbgjkt gthtrhtcnjr gtnhjpfdjlcr guadalajara guadalupe1 guadeloupe guatemala1
  guillermo1 guitarhero guldaniya.galina gummybear1 gundamwing gunslinger gunsnroses gvinpinka123 gwarmonster
  gxlmxbewym gy3yt2rgls gymnastics h123456789 h1xp2z2duk h2vwdubjx4 h72sfibbnl hakunamatata hallelujah
  hallohallo halloween1 hallucinationse halohalo007 hamburger1 hammerhead hammertime hamulakvitaly hannahmont
  hannahmontana hannover96 hans4queck happiness1 happy12345 happybunny happydays1 happyfeet1 happyhappy
  hardwareid harekrishna harrypotte harrypotter hawkesbury93 hbhc8290826 hd764nw5d7e1vb1 hd764nw5d7e1vbv
  headhunter heartbreak heartbreaker heartbroke heartless1 heather123 heavymetal hedimaptfcor heeren981a
  heitor250493 helga_557634 helicopter hello12345 hellohello hellokitty hellomoto1 hellothere helloworld
  hellraiser henderson1 hermina617berno1990f6i hernandez1 hesoyam123 heterosexual heyheyhey1 hgrfqg4577
  hhhhhhhhhh highlander highschool hijodeputa hilaryduff hillbilly1 history278 hocuspocus hollaback1
  hollister1 hollister2 hollister3 hollister5 hollister7 hollywood1 hollywood2 holyspirit homelesspa
  hondacivic hondas2000 honeybear1 honeybunch honeybunny hoodnigga1 horsepower hotmail.com hotmail123
  hotwheels1 housemusic housewifes houston713 hshfd4n279 http://www htubcnhfwbz huangfeisuny
  hugo854lataille1988 huhbbhzu78 hummingbird hunnybunny hurensohn1 hurricane1 hurricanes hx28o9e646 hypnodanny
  i18bzbk3ay8 iaapptfcor iamawesome iamnumber1 iampurehaha2 iamthebest ibicguwjic icecream12 ichliebedi
  ichliebedich icxkyb7972 id6c3wr6un iddqdiddqd iddqdidkfa idontcare1 idontknow1 idontknow2 ifuckyou1987
  igetmoney1 ignatova_1978_09 igorek-filatov ihatethisgame ihateyou12 ilikepussy illuminati ilovealex1
  iloveboobies iloveboys1 ilovechris ilovecody1 ilovedavid ilovedogs1 ilovegirls ilovehim12 iloveindia
  ilovejake1 ilovejames ilovejason ilovejesus ilovejohn1 ilovejosh1 ilovejusti ilovematt1 iloveme123
  ilovemike1 ilovemommy ilovemoney ilovemusic ilovemybab ilovemydad ilovemyfam ilovemyfamily ilovemykid
  ilovemykids ilovemylife ilovemymom ilovemymum ilovemysel ilovemyself ilovenick1 ilovepink1 ilovepussy
  iloveryan1 ilovetyler iloveyou00 iloveyou01 iloveyou07 iloveyou08 iloveyou09 iloveyou10 iloveyou11
  iloveyou12 iloveyou123 iloveyou13 iloveyou14 iloveyou143 iloveyou15 iloveyou16 iloveyou17 iloveyou18
  iloveyou19 iloveyou20 iloveyou21 iloveyou22 iloveyou23 iloveyou24 iloveyou25 iloveyou33 iloveyou69
  iloveyou77 iloveyou88 iloveyou99 iloveyou<3 iloveyouba iloveyoubaby iloveyouso iloveyoux3 ilya_al_80
  imagination imjakie123 impossible imthebest1 imyaimyaimya inactive1996aug incredible independen independent
  indonesia1 industrial infalicall information ingodwetrust insertions installdevic installsqlst installutil
  intelinside intelligence interacial intercourse intermilan international internazionale inuyasha12
  invincible ipo54tj45uy856 ira.klopot irina280374 irochka-ova ironmaiden iseedeadpeople istanbul34 itsasecret
  ivanivanov ivankaterinchenko ivanov2305 ivanovamotya iw14fi9jwqa iw14fi9jxl j123456789 j1v1fp2bxm j3qq4h7h2v
  jackass123 jackdaniels jackhammer jackson123 jacqueline jaigurudev jaihanuman jamesbond0 jamesbond007
  jamesbond1 jamesjames jannaarhipova japanese92 jarox1301! jasmin-ris jasmine123 jaw138whet330 jediknight
  jedimaster jefferson1 jeffhardy1 jekan860803 jellybean1 jellybeans jellybelly jellyfish1 jennifer11
  jennifer12 jessejames jessica123 jesucristo jesus4ever jesus4life jesuschris jesuschrist jesuscristo
  jesusfreak jesusislor jesusislord jesuslives jesusloves jesuslovesme jesussaves jetbalance jfgvcqbuzug
  jiang8kevin jiefang007 jigei743ks jimandanne jjcg16dj5k jjjjjjjjjj jkiuztdftl57 jlbyjxtcndj jobshop2002
  john!20130605at1753 johnathan1 johncena12 johncena54 johndeere1 johnny1959 johnnydepp jokerjoker jonasbroth
  jonasbrothers jonathan12 jordan2345 josemanuel josephine1 josephphone7 juancarlos juanmanuel juggalo420
  juggernaut julia.olga julia_eduardovna juliadronina1996 julian1705 juliana123 julija2010x juliocesar
  jundian2011xr justforfun justinbieb justinbiebe justinbieber jxfhjdfirf k123456789 k25061405u k47rizxt2g
  ka_djkhjsy6 kafedra_oisp kalifornia kaliningrad kamazist.tsobenko kamehameha kamelia2011 kanmax1994
  karakartal karappinha kartoffelpuffer karusev_spb kassandra1 katherine1 katyakatya kazakhstan kbnthfnehf
  kd189nlcih kensington kifj9n7bfu killer1234 killerin66 killswitch kimberley1 kimberly12 kingdomhearts
  kingfisher kinomoto89 kinyabuzova.eleonora kirienko_svetlana kirik26trimyasov kirill.kirillov.2013
  kirill1990 kirill999_97 kissmyass1 kissmyass2 kittykitty kkkkkkkkkk kl?benhavn klapaucius klubnichka
  kmzwa8awaa kmzway87aa knackwurst8853 knickerless knowledge1 knucklehead koala_1995 kobebryant komnatnyy88
  komputer12 konovalova konstantin korostelev_3333 kotikova_n_m kotmichanik kotovas-70 kotovichvalentina
  kotya_bagdan kovalevagn2057 kovalienko63 kovalskaya-t kovrnatasha kovshikova1981 kozanostra krasavchik
  kravchenko kretsaha53 krishna123 kristopher kryptonite krystyna56 ksushapanda ksyukha1990
  ksyusha.kulagina.91 ktjynsq40147 kuana230345 kuchelaeva kuchierova1994 kuchinovao kudakova.83 kudielia.anna
  kudos4ever kudrina1962 kudrjashova62 kudryavcevavalya kuliiev.79 kuponatora kurmangazieva_gulmira kurtcobain
  kuznecovviktorr kwiatuszek l123456789 l1qoh9wq2u l58jkdjp!m l6ho3tg7wb ladiesman1 lady.procenko71 ladybug123
  ladyffesta lamborghini lamborgini lancaster1 lanlan1234 laobidenko laurel12creek leavemealone lebronjame
  ledzeppelin leedsunited left4dead2 leliane50934 len_rin_kagamine_02 lena5stars leolong1985 letmein123
  letmeinnow leto-nataly levenyatko2007 lexa-let4ik lexa.maxus lexa290195 lexaafanasiev84 lfplhfgthvf
  lhbjkjubz2957704 lifeisgood lifesucks1 lightbulb1 lighthouse lightning1 lightning2 lightpower12345
  lightsaber lilmama123 lilwayne12 limegreen1 limpbizkit lineage123 linkedin01 linkedin11 linkedin123
  linkedin2011 linkedin4me linkinpark lionelmessi lionheart1 lipy110593 lisicyna704 lissalissa listopad.iuliia
  littlebear littlebit1 littlebitch littlefuck littlegirl littleman1 littleminge littleslut littlewhore
  liverpool0 liverpool1 liverpool123 liverpool2 liverpool5 liverpool7 liverpool8 liverpool9 liverpoolfc
  livestrong lkjhgfdsa1 lkjhgfdsazx llllllllll lobkova.1979 lockerroom lolipop123 lollipop12 lololyo123
  london2012 longbeach1 longhorns1 loploprock lorik197110 losangeles loserface1 lost4815162342 lothlorien
  lotrfotr34 louisiana1 love123456 love123456789 love4ever1 love777321777 lovealways loveforeve loveforever
  lovehurts1 lovehurts2 loveislife lovelovelove lovelygirl lovemykids lovemyself lovergirl1 lovesucks1
  loveu4ever loveyou123 lovezp1314 lp2568cskt lpz93ssskqw8q lsia9dnb9y ltybcrj1992 luansantana lucifer666
  luckycharm lumberjack luojianhua lupashku89 lydcc20091314 lytdybrbdfvgbhf lytghjgtnhjdcr lzhan16889
  m01759766727 m123456789 m1am1b3ach m1ul9x9i20 m6cjy69u35 ma123123123 macegorova.mariya machukreeva
  mackenzie1 madagascar madagaskar madison123 maella1311 magandaako magdalena1 magical123 magma9824660
  mahalkita1 mahmudali1987 mailcreated5240 maintenance maisuradze maitland571ka1994 makemoney1
  maks.abramov.99.99 maksim.bychkov.1986 maksimilian_nasirov maksimka876 maksus_2003 malhotra493ozzy1991282151
  malina_bratsk mamikawada management manchester manchester1 manchesterunited mandarinka mandds1mg6bv8re
  mandragora mangust6403 manka198707 manovitskaya manuliktatyana manunited1 mapet123456 mapleleafs maplestory
  maprchem56458 maradona10 marcuseckos marek14michal margarita1 margherita marguerite maria-demidchik
  mariagoncharenko marialuisa mariamaria mariannaz2 marielwfledlow marijuana1 marimax.85 marina.shapovalo
  marina.ushakovaznuv marina_stryazhkova marinadeduxinaa marinamarina marinaorlova1991 marinochka
  marinochka.zhelannaya mario140773 marketing1 markhegarty marseille1 marseille13 martinique marvel5454
  maryjane42 mashamasha massimiliano master1234 masterbaiting masterbate masterbating mastercard masterchief
  mastermind masturbate masturbation matchbox20 matematica matematika mathematics matrassesotk matthew123
  mattylad10 matveev792010 matyas2001 maurolarastefy max.kirilov.90 maxchislov maximilian maximiliano
  maximova.60 maximova_elena77 maximus1393 maxix565656 maxmotives maxonina22 maxpredator mcdonalds1 meatball99
  mechanical meditation megaparol12345 megasecret melissa123 memyselfandi messenger1 metallica1 metallica2
  metallica6 metropolis mevefalkcakk michael123 michaeljac michaeljackson michel69.69 michelle01 michelle10
  michelle11 michelle12 michelle13 michelle14 michelle19 michelle21 michelle22 michelle23 michelle69
  michoacan1 mickeymous mickeymouse microphone microsoft1 midnight12 migrationschool miguelangel
  mihail-saratov mihail_alekseevskiy406 mihailpezhemskii mikalyalia mikejones1 mikhailova-w mikhayildopy
  milankasanakoeva milanova-kira milay-ven2011 milena699803 mileycyrus milfhunter milkshake1 millennium
  millerlite millertime millionaire minecraft1 minecraft123 minhasenha minicalibra minicooper minnesota1
  minnesota_hp mir-180991 mirellabroersma1987570 misch.sosnin mishaghbdtn mishanna1936 misiaczek1
  miss-evgeniya-93 miss.marina.nikolaeva.2013 mississipp mississippi misskitty1 mitsubishi mityukova.anya
  mixaxa2003 mkjhgf1996 mknaxhxeh8yp3tf mkolendzyan mmakssimka mmmmmmmmmm mnbvcxz123 mnenrad6983616 mobiline_b
  mod7tygrysow moderncombat mogychajagopa mojurus5575566 molchanova_tlt momanddad1 momsanaladventure
  monaliza2786 moneymaker moneyman87 moneymoney monkey1234 monkeyboy1 monkeybutt monkeyman1 monkeys123
  monp5haynes monster123 monstercha montecarlo montenegro monterrey1 montgom240 montgom2409 montgomery
  moonlight1 moonshine1 mordva1783 morganstanley morozovavalya28 mortalkombat moscowcallin moshkin1998
  mostwanted motdepasse motherfuck motherfucker motherlode motocross1 motorcycle motrya.larina mountaindew
  mousemouse mozellbranou81e mr.stas192 mrf11277215 ms.dolgikh msoracle32re msorcloledbr multimedia multiplelo
  multiplelog murcielago mushroomka music4life musiclover mustang123 mutalim.gusenov mv46vkmz10 mybossmyhero1
  mycomputer myjdxtcxks mylinkedin mypassword myspace.co myspace101 myspace123 myspace200 myspace201
  myspace4me myspacepas mysterious n123456789 n8zgt5p0shw= n_pletneva narashchivaiunoghti naruto1234
  nashville1 nastenabendel nastina33592 nastya-b86 nastya1995 nastya1996 nastya1997 nastya2010
  nastyaanciferova nastyanastya nata271283 nata_titj25 natalie123 nataliystre natalya.dmitrieva.1978
  natasha123 natasha_19.65 natatuma79 nathaniel1 nati.beridze.92 natiichen999 naughtyboy navigation nccpl25282
  ne_e_pod_chehyl necromancer necronomicon need4speed needforspeed nemochkao1975 nemvxyheqdd5oqxyxyzi
  neslyxovska nesterenko networking networkingpe never_desponding neveragain nevergiveup nevermind1
  nevertarget7 neverwinter newcastle1 newjersey1 neworleans neworleans12345 newpasswor newpassword newport100
  newproject2004 newthree51 newyork123 newzealand nguyen4thewin nha7ebf6kp nhbujyjvtnhbz nhecsyfujkjdt
  nhfdvfnjkju123 nhfrnjhbcn nhfycajhvths nicholas12 nick1234-rem936 nickelback nickiminaj nickjonas1
  nicolas123 nightcrawler nightmare1 nightshade nika_kisa88 nikita1998 nikita2000 nikolaevna nikolay_thebest
  nintendo64 nirvana123 nissan350z nks230kjs82 nmt89109328673 nokia6230i nokiadermo nokianokia nomeacuerdo
  nondriversig noonehackme nopassword northside1 nostradamus nothing123 nothings123 notorious1 notredame1
  nottingham november10 november11 november12 november13 november14 november15 november16 november17
  november18 november19 november20 november21 november22 november23 november24 november25 november26
  november27 november28 november29 november30 novosibirsk nthvbyfnjh nthvbyfnjh2 ntktdbpjh1994 nuaddn9561
  nuttertools nyq28giz1z oakland510 oc247ngucz ocpoook325 offspring1 ohiostate1 oks65b6666 oksana130279
  oksanaorgadykova oksanav-13 olamilekan olanrewaju olcrackmaster oldschool1 oldsmobile olechka061187
  oleg-andry oleg272727 oleginator1 olegnaruto olesya.kolchina olga.kazakova_85 olga.lekarewa
  olga.ponomarenko.2012 olga.rumyanceva.1985 olgastrashney olgha.pietrova.1979 olo65b6666 ololoeva-99
  olqa_motosova oluwasegun oluwatosin olyashev12 omgkremidia onedirection onetwothree ontheoutside ontherocks
  oooooooooo opensesame opernhaus1 opiumbaron ordinateur oriflame_1910 orochimaru owt243ygbh owt243ygbj
  p030710p$e4o p0o9i8u7y6 p123456789 p3rat54797 pa1ub65udd packardbell painkiller paintball1 paintball2
  pakistan12 pakistan123 pakistan786 panasonic1 panda_3108 pandabear1 pandemonium papichulo1 paraklast1974
  parfenovav parliament parol12345 parolparol partygirl1 passer2009 passer2010 passer2011 passmaster
  passtrader password00 password01 password02 password06 password07 password08 password09 password1!
  password10 password101 password11 password12 password123 password1234 password12345 password123456
  password1234567 password12345678 password123456789 password13 password14 password15 password16 password17
  password18 password19 password20 password21 password22 password23 password24 password25 password26
  password27 password28 password32 password33 password34 password42 password44 password45 password55
  password66 password69 password77 password78 password87 password88 password89 password90 password91
  password92 password93 password99 passwordassword passwordpassword passwords1 passwordstandard pathfinder
  patrick123 patriots12 patterson1 pazzword123 pe#5gz29ptzmse peace&love peaceandlove peacemaker peaches123
  peanutbutt peanutbutter penetrating penetration pennstate1 peppermint pepsicola1 percussion perfection
  performance performing peterbilt1 peternorth petewentz1 peugeot206 peugeot406 pfhfnecnhf pfqwtd27121988
  phezc419hv philadelphia philippine philippines philosophy phoenix888 piankova72 pimpdaddy1 pimpjuice1
  pineapple1 pinkfloyd1 pinkpanther pittsburgh plankova2012 playboy123 playground playstatio playstation
  playstation2 playstation3 pletnevakaterina plhfdcndeq pocahontas pointblank pointbreak poiuytrewq poiuytreza
  pok29q6666 pokemon123 pokopushkin polarbear1 polniypizdec0211 polniypizdec1102 polniypizdec110211 polopolo09
  poohbear12 poopmaster popcorn123 popovkin83 poptropica pornografia pornographic pornography pornstar69
  porsche911 portishead portsmouth posoxina.88 postov1000 pothead420 povlmly727 powerpower pppppppppp
  pqntmt1247 premiumcash president1 presidente prettyboy1 prettygirl prettygurl primetime21 princesita
  princess01 princess06 princess07 princess08 princess09 princess10 princess11 princess12 princess123
  princess13 princess14 princess15 princess16 princess17 princess18 princess19 princess20 princess21
  princess22 princess23 princess24 princess25 princess69 princess88 princess99 principessa priscilla1
  prisonbreak production profession professional programmer progressive projectsadminx prometheus prosperity
  prosto_chelkynchik prosvirkind protection proverbs31 providence prozukin-shift przyjaciolki psicologia
  psychnaut1 psychology ptybnxtvgbjy puertorico pufunga7782 punksnotdead puppylove1 purplehaze pussybitch
  pussyeater pussylicker pussylover pussypussy pyanzina_elena pyfrjvcndj q0tsrbv488 q123456789 q1234567890
  q18lg49iq8bhu q1q2q3q4q5 q1w2e3r4t5 q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0
  qa27111985qa qawsedrftg qawsedrftgyh qaz123wsx456 qaz26101778 qazwsx1234 qazwsx12345 qazwsx123456 qazwsxedc1
  qazwsxedc12 qazwsxedc123 qazwsxedcr qazwsxedcrfv qazwsxedcrfvtgb qazwsxqazwsx qazxswedc123 qazxswedcvfr
  qdujvyg5sxa qh6xl1p9xj qiciqdp162 qpwoeiruty qq123456789 qqqqqqqqqq qsdfghjklm qti7zxh18u quality123
  quant4307s queenas8151 qugrqfo825 quicksilver quiksilver qw10081973 qwaszxerdfcv qwe1122334 qwe1234567
  qwe123qwe123 qweasdzxc1 qweasdzxc12 qweasdzxc123 qwegta13091990 qwerasdfzxcv qwert.0002 qwert12345
  qwert54321 qwertasdfg qwertasdfgzxcvb qwertgfdsa qwertqwert qwerttrewq qwerty1234 qwerty12345 qwerty123456
  qwerty123456789 qwerty1517 qwerty2010 qwerty654321 qwertyasdfgh qwertykolakola qwertyqwerty qwertyu123
  qwertyuio1 qwertyuiop qwertyuiop1 qwertyuiop10 qwertyuiop12 qwertyuiop123 qwertyuiop12345 qwertyuiop[]
  qwertyuiopasdfghjkl qwertyuiopasdfghjkl151515 qwertyytrewq qwertzuiop r123456789 r3vi3wpass r6a50de3ujwtog4
  r9lw4j8khx rachelle289ariyoshi5251987 radik070775 radiohead1 radion-dankov raduga2508 rahmudinov92
  raiders123 rainbow123 rainforest raisa720290 raisa_smelkova ramis_bairamov rammstein1 ramsia1986 randyorton
  rangerover rashaun966krager1993 rashley198 raskevichtanja rastafari1 rattlesnake raumschiff rauzawcsiv
  ravshan1017 raymonde336schwegel7331987 razdvatri3 rbotmvz954 realestate realmadrid realnigga1 reanimator
  rebecca123 redemption redskins21 regawf7ss1dm7rn regina-rebina reginka2393 rememberme remington1
  rena.vano1990 rendakova_sveta renesmeecallen residentevil resing1965 resistant50m respublika revelation
  reviewpass revolution reymysterio rezvanov_a rfcgthcrbq rfgecnfcerf rfhfrfnbwf rfhfvtkmrf rfkbajhybz
  rfkmrekznjh rfnfcnhjaf rfnfgekmnf rfnthbyf1988 rhbcnbyjxrf rhfcyjzhcr rhfvfnjhcr ribka227555 richard123
  richardson rickjames1 rita_nizhnik_r riverplate riverside1 riwr2hky4w3tjgg rjhjkmbien rjirfrgbde rjkjrjkmxbr
  rjycnbnewbz rjycnfynby rkamkin.karoli1988mp rkfdbfnehf roadrunner roanne42300 robert1708 rockandroll
  rockbottom rockhopper rocknroll1 rocknsock1 rockstar10 rockstar11 rockstar12 rockstar13 rodriguez1
  roflcopter rogovivan72 rogovsasha123 rolandia42 romanova.natalya.96 romanroman romka_ya93 ronaldinho
  ronaldinho10 ronaldo123 rottweiler rtertuy77ijyhu7i rubberduck runescape1 runescape2 rusali_1979 ryan962052
  rzaev_ilgar s123456789 s1a2s3h4a5 s456123789 s8ylpe9jdpvym s9qxa9yn9cc= sabrina123 sacramento safonova.1967
  safronov_3112 sagitarius sagittarius sailormoon sakoshka_masha salamander salamandra salmankhan salvation1
  samantha01 samantha11 samantha12 samantha13 samitluiza1 samsuchonok samsung123 sanandreas sanantonio
  sanfrancisco sanjose408 santamaria saqartvelo sasha12345 sashasasha sassygirl1 sataieva.elinka sataniv1993
  satellite1 satisfaction sattorov-q saun24865709 saxophone1 sayangkamu scandinavian scareface1 scarface12
  schokolade schoolgirlie schumacher scooby-doo scoobydoo1 scoobydoo2 scooter123 scoubidou2 scoubidou6
  scvmofas79 sdf7asdf6asdg8df sdh686drth sdicmt7seytn sebastian1 sebastian106 sebastian2 seemnemaailm
  selenagome selenagomez selfok2013 semina-alina seminoles1 senior2010 seniseviyor seniseviyorum sephiroth1
  september1 september2 september3 september5 september6 september7 september8 september9 septiembre
  ser_kuzmin serafina14 serash2240 serega-cash serega_torov seregakalygin seregjvich serendipity serg-ks.87
  serg-niki20 sergeev2212 sergeevich sergeevna_10.10.91 sergei1986inna sergei_man9 sergej_de_sad
  sergey-personal sergey.lushnikoff sergey.melnik-1996 sergey_brrr24 sergio-emperior sergio.b93 serikpaevna_92
  serj-gr1966 serova2008 sersolution service321 sesshomaru sevastopol seventeen1 sevgeyq9v7kor sexmachine
  sexpistols sexy_julija sexybeast1 sexybitch1 sexybitch2 sexyblack1 sexychick1 sexygirl12 sexymama12
  sfasdfsdfa sgdhhfc4x2 sh_o_a_2013 shadow0262 shadow1212 shakespeare shakmakovataisiya1992 shamanking
  shannon123 shaquillesecx10 sharingan1 sharmaine005foskett6071988 shea019bernabei1992 sheba417yorck1986vxm7
  shelbygt500 shevchenko shevcov_alesha shiningeagle shirankova42 shirshov.1968 shishmarev76 shithappens
  shuhrat007 shukshinasveta shukurova-ismigu shunia0505 sidewinder siiifonjiknalivai silakova.nadezhda.2012
  silantyi1987 silenakriv silenthill silverado1 silverkey3 silverstone simakov_evg simferopol simonoff-dj
  simonova5570 simonova_lyudmila_73 simonovskiy1970 simorodok62 simpleplan sirazhdinov.shamil sirik010875
  sivenkovklin skate4life skateboard skateordie skaterboy1 skaterdude skelitor66 skittles12 skorpion39
  skorpions23.5 skrip-natalya skyliner34 skywalker1 slastenka93 slava.grinco slava_kulbidyuk slavik200887
  slimshady1 slipchenko2004 slipknot12 slipknot13 slipknot66 slipknot666 slonenok1009 smackdown1 smallville
  smileyface smokeweed1 snickers12 snoopdogg1 snowball12 snowboard1 snowflake1 snowwhite1 snusmumrik
  soccer1234 sodikov.talat softball10 softball11 softball12 softball13 softball14 softball15 softball16
  softball21 softball22 softball23 softball24 sofya.kulikova.87 sogevigdil1981 sojdlg123aljg solidsnake
  solomaha-denis soloveibormalei somanypickles27 something1 sonnenblume sonnenschein sonya200102 sonyericsson
  sophieytorf sorokina-999-01 sorokina7778 soso123aljg souljaboy1 southafrica southpark1 southpole1 southside1
  southside2 southside3 southwest1 soyma.ivan spam967888 spartak1922 spartan117 specialinsta specialist
  spider-man spiderman1 spiderman2 spiderman3 spiderman4 spiderman5 spiderman7 spiderman9 spionin8688
  spiridonmarkin1982 spongebob! spongebob0 spongebob1 spongebob2 spongebob3 spongebob4 spongebob5 spongebob7
  spongebob8 spongebob9 sporu-netu spread-hop spring938burston0001990 springfield springsteen srcuqq1_2j1h3rbf
  sredina-va ss563563ss ss6z2sw6lu sss-nastya-sss ssssssssss stalingrad stalker123 stalker_lemurrr stan021092
  starbucks1 starburst1 starcraft1 starcraft2 staredobre stargatesg1 starlight1 starpozitiv starscream
  startfinding starwars03ja starwars111 starwars12 starwars123 starwarsfan10 stas.gorodissky stas_kolos
  stas_the_best.ru stason16.92 statistika steamforums steelers12 steelers43 steelers86 stefangreil1983
  steflio3123 stella354926 stepa-2009 stepanov.ag stepanov_georgij stephanie1 stephanie2 stickdaddy77
  stinkyfinger stomatolog stone_mitich stonecold1 stonehenge strange.lena stratocaster strawberry streetball
  strekoza79 strezhetova stroikarat stronghold stsnatasha2008 studioworks studmuffin style_style subprodukty
  subscriber success123 successful suckmycock suckmydick sugarbaby1 sugarbear1 sukasbliat
  sulamifcherenchikova1979 summer.fruit summer2008 summer2009 summer2010 summer2011 summertime sundaypunch
  sunderland sunflower1 sunflower2 sunflowers sungatullinad sungelika86 sunglasses sunshine01 sunshine08
  sunshine09 sunshine10 sunshine11 sunshine12 sunshine123 sunshine13 sunshine19 sunshine21 sunshine22
  sunshine23 sunshine69 superduper supergirl1 superman01 superman10 superman11 superman12 superman123
  superman13 superman14 superman21 superman22 superman23 superman69 supermanboy supermario supernatural
  supernova1 superpower superpuper supersonic superstar1 superstar2 supervisor supervista superwoman
  sutvsc5ysaa svensps820 sveta-kisil svetasveta svetik_kryuchkov svetlana-mironova-13 svetlana26rus
  svetlana_07 svoron1977 sweetangel sweetdream sweetdreams sweetgirl1 sweetheart sweetiepie sweetmother
  sweetness1 sweetpussy swordfish1 sylvester1 sylviahans syncmaster systemofadown sz9kqcctwy t123456789
  t34vfrc1991 t5r4e3w2q1 t_v_belyakova table54781 tadmichaels taekwondo1 tagesgruppe2010 taishan2011
  tamriko0942 tamwsn3sja taskaev777 taylormade taylorswif tdfyutkbjy teamomucho technician techniques
  technology teddybear1 teddybear2 teh-consul telecaster telechargement telegina_65 telephone1 television
  tema-bushelev tema.barabin temppassword temptation tennessee1 teonamaria1 tequieromucho terminator
  testing123 thebears12 thebeatles thecakeisalie thecrazymaxim thegreat123 thesimpsons thirteen13 thissucks1
  throatfuck thugstools thunder123 thunderbird thundercat ticketmaster tielandros01 tiffany123 tigertiger
  tigerwoods timberlake timberland timberwolf timfranzke tinkerbel1 tinkerbell tinkerbell1 tishenkoff
  tkgsoo083bsr tnk0mk16vx tokiohotel tolstyh.oxana tombrady12 tombraider topsecret1 total12scherz tottenham1
  toulouse31 trackstar1 transexual transforme transformer transformers translator trapdoor39 trapdoor43
  trapdoor60 triskelion trofimishe trustnoone tupacshakur tuputamadre tweetybird twilight12 twilight13
  tx9z6ht5eo tylerca310 typetogether tyumchenko_ok tzir25l5kn u6kz2lppto ublhjgjybrf ubnkthrfgen ubvyfcnbrf
  ufhhbgjnnth uhfybn8888 ujkjdjkjvrf unbelievable uncencored undercover undergroun underground underoath1
  understand undertaker underwater underworld unforgiven uniqueness universal1 universidad university
  uqa9ebw445 userexecute usuckballz1 utyyflmtdyf uvgx8f8232 v123456789 v3xafy4k3y vadyusha.isaev.83 vaffanculo
  valentina.victoria valentina1 valentine1 valentinka valentino1 valkenhayn valya-city valya-garanina
  valya-lera1 valya-sidenko valya-valya-1982 valya.2057 valya.gorodn valya.ivko valya.klimenko.87
  valya.korobeynik valya.kryuchkova.1990 valya.lantux.83 valya.shapoval vampire666 vancouver1 vanessa123
  vanessa141175 vanyarespekt varduhigohar varfeevich varfolomeeva0990 varfolomey_72 varich-masha
  varida.alibaeva vascorossi vashenko.u.u vbhjndjhtw venezuela1 venom121293 veralipatnikova verygoodbot
  vesproongh12 vfhbjk1801 vfhbyfvfhbyf vfhufhbnrf vfhvtkflrf vflfufcrfh vfntvfnbrf vfrcbvtyrj vfrcbvvfrcbv
  vfvfgfgf123 vfvfvskfhfve vfylfhbyrf vgizetdinov victor_evdokimov victor_sakhalin1990-20 victorclavier
  victorfrunz victori1967 victoria-berkat-energo victoria-dyatlova victoria.20000 victoria.kl106 victoria12
  victoria14.09 victoria392eliezrie1992frp victoria989 victoria_002 victoria_91 victoria_shkurco victoriandr01
  victoriy70 vicusa.tatyana viewsonic1 vihlaeva2012 vihotsieva94 vihrova1974 vik22535477 vika-selfish
  vika.krivonos.1995 villanueva villeneuve vinogradov vip_trading viphv5j736 virgilio12 virtuagirl virtue1234
  vitalik123 vitaminka88 vitolino10 vitor1268123 vkoomare88 vkovshut_annab1988fg vkravchenko vkrbashyan
  vks1zz9v_7ceu69 vkuradovetc vladcherktecktonik vladimirovna vladislava vladivostok vm.shlykov
  volfram.kozlov123633 volfram.kozlov173902 volga11955 volgirevagv volgograd.orlovka volhina-73 volhsara56
  voliahim1891 volik-yulia voljanka1976 volkova.67 volkova.elena.13 volkova.ksyusha.89 volkovanata77
  volkovaolguna volkovoi_net volkswagen volleyball volodina.elena66 volodya-ivanov-63 volohovich-t
  volokitina.olga voroshilova.liliya voxstrange vqsablpzla vrbgqns997 vsjasnel12 vyjujnjxbt w123456789
  w1w2w3w4w5 w2dlww3v5p w5tn36alfw w5txn36alfw w66yrybgra wachtwoord walkman555 wallstreet warhammer1
  warhammer40k washington waterfall1 waterfalls watermelon wazzkaprivet wcrfxtvgbjy webhompass websolutions
  websolutionssu webuivalidat wednesday1 weedman420 weihnachte weihnachten weihnachtsbau weihnachtsbaum
  welcome123 wellington wenef45313 werilopert weronika1992 werty12345 westcoast1 westside12 westside13
  wethepeople weyersheim whatever11 whatever12 whatthefuc whatthefuck whatthehell whatthezor whitepower
  whitetiger whosyourdaddy widespread wildflower william123 william2631 winchester windows123 winnipeg261
  winstonone wisconsin1 wishmaster woaini1314 wolverine1 wolverines wonderful1 wonderland wonderwall
  wonderwoman woodstock1 woshishei319 wpcakir264 wrasloco11 wrestling1 writerspace wsbe279qsg www.ivan-18
  wwwamador91 wwwksenechkawww wwwooo1234 wwwwwwwwww x3luym2mmj x4ivyga51f x8coqx1f1zh x99qomx561 xalitova1988
  xantria10315 xblhintb9w xenosaga1234 xiang123456 xiaoyua123 xige5516726 xpressmusic xtseo2011tdx
  xxxp455w0rd5 xxxxxxxxxx y6p67ftrqj ya_nochka86 yagjecc826 yana.kolomoets yanchikchmoki yandi20080527
  yankees123 yanshi1982 yaoiisgrand ybrjkftdbx ybrjkftdyf yellowcard yemi19900911 yfcnhjtybt yfcnzyfcnz
  yfdbufnjh10305070 yfdbufnjh63 yfnfitymrf yggdrasil4 yjdsqgfhjkm yoshimitsu youngmoney yourmom123 youtube123
  yu5l97wk8q yuantuo2012 yulia-dubrovina yulia_yulia_13 yulianaz85 yuliasha87 yulyasik2002 yushinazena2009
  z0102030405 z123456789 z1x2c3v4b5 z1x2c3v4b5n6 z1x2c3v4b5n6m7 zabelina12391 zabelinaalena zabihullin99
  zabloczkaya2012 zabludshaya zabolotneva_ira zabolotniy.a zabolotnov1968 zabolotnova31337 zabor.hut2
  zaborskiy80 zabotin_sasha zacatecas1 zaq12wsxcde3 zaq1xsw2cde3 zaqwsxcderfv zaratustra zarina_loves
  zarina_sabirova zarina_zhasan zarinaismailova zarinalin87 zarinka1111 zarinochka_b zarygalina zaxarov-1976
  zcfvfzkexifz zcxfcnkbdf zcxfcnkbdfz zenit-talnah zexts364325 zimmermann33 zjses9evpa zmx870919123
  zolotarev08 zpaqrt2963 zqjphsyf6ctifgu zuewamarija zx123456789 zxcasdqwe123 zxcvb12345 zxcvbasdfg
  zxcvbn123456 zxcvbn3215 zxcvbnm,./ zxcvbnm123 zxcvbnm1234 zxcvbnm123456789 zxcvbnmmnbvcxz zy19791201
  zzzzzzzzzz
`;

let known: ReadonlySet<string> | undefined;

/** All of them, read when they are first asked for. */
export function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(COMMON.trim().split(/\s+/));
  return known;
}

/** Whether so many people choose a password that it is tried first. Case does not count. */
export function isCommon(password: string): boolean {
  return commonPasswords().has(password.normalize("NFC").toLowerCase());
}
