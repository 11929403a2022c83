npm install -g dechirp @dechirp/jobs-bullmq bullmq ioredis pg
