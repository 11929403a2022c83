/** The Firefox of this machine, and the folder of its libraries if it was downloaded. Undefined if there is none. */
export declare function findFirefox(): { readonly program: string; readonly root?: string } | undefined;
/** The environment in which a downloaded Firefox finds its libraries. */
export declare function environmentOf(root: string | undefined, home: string): Record<string, string>;
