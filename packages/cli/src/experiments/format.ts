/** What reports of all experiments have as their `format`. */
export const experimentFormat = "dechirp-experiment";
