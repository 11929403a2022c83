npx dechirp studio collection.cphd --open            # a page that says what it is, focuses it, and measures the image
