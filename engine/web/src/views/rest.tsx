// All views but the start page and the game: one file for a browser to load.

export { Analyse } from "./analyse";
export { Editor } from "./editor";
export { Help } from "./help";
export { Options } from "./options";
export { Practice } from "./practice";
export { Puzzles } from "./puzzles";
export { Shared } from "./shared";
export { Tables } from "./tables";
