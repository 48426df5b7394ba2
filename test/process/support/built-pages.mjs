// Loaded before the server, where the run has built the pages: as in a package, nothing looks whether they are fresh.
// That is a third of the processor time of a start.
import { PLACES } from "../../../adapters/places.ts";

delete PLACES.pagesBuilder;
