dechirp focus scene --out image --velocity fast --json || [ $? = 2 ]
