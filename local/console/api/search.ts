export type { SearchAnswer } from "../../platform/page/search-answer.ts";
