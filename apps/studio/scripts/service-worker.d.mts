/** Writes the service worker of the site in a folder. */
export declare function writeServiceWorker(site: string): Promise<void>;
