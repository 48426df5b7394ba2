/** Tags of TIFF 6.0 (section 22 for JPEG) and of ICC.1 that describe the layout and meaning of pixels. */
export const TAG = {
  subfileType: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripLengths: 279,
  planar: 284,
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileLengths: 325,
  subfiles: 330,
  extraSamples: 338,
  sampleFormat: 339,
  jpegStart: 513,
  jpegLength: 514,
  quantization: 519,
  dcTables: 520,
  acTables: 521,
  subsampling: 530,
  profile: 34_675,
  dngVersion: 50_706,
} as const;

export const COMPRESSION = {
  none: 1,
  rle: 2,
  t4: 3,
  t6: 4,
  lzw: 5,
  oldJpeg: 6,
  jpeg: 7,
  deflate: 8,
  packBits: 32_773,
  oldDeflate: 32_946,
  zstd: 50_000,
} as const;

export const PHOTOMETRIC = {
  white: 0,
  black: 1,
  rgb: 2,
  palette: 3,
  separated: 5,
  ycbcr: 6,
  cielab: 8,
} as const;

export const SEPARATE_PLANES = 2;
