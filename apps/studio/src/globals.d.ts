/** Version of the packages, which the build inserts. */
declare const __VERSION__: string;
/** Whether the page comes from a build, not from the development server. */
declare const __IS_BUILT__: boolean;
/** Address of the repository. */
declare const __REPOSITORY__: string;
