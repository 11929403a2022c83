/** Version of the packages, which the build inserts. */
declare const __VERSION__: string;
