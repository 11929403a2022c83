npm install @dechirp/jobs-bullmq bullmq ioredis pg
