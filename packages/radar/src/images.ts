/**
 * The entry point `@dechirp/radar/images`: descriptions of images, made of what a processor knows: where their pixels are on earth, and how
 * their data was collected and processed. Sinks of `@dechirp/io` store descriptions, and `@dechirp/sar/geocoding` makes maps with them.
 */

export {
  type BackprojectionFacts,
  type BackprojectionPlace,
  type CollectionFacts,
  describeBackprojection,
  describeRangeDoppler,
  placeBackprojection,
  placeRangeDoppler,
  type RangeDopplerFacts,
  type RangeDopplerPlace,
} from "./images/describe.ts";
