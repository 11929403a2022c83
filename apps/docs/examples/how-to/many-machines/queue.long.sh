# once, and after BullMQ was updated: PostgreSQL needs tables
dechirp job init --queue postgres://queue.example/jobs
# where the job was planned: the tasks, then the products
dechirp job submit s3://bucket/job --queue postgres://queue.example/jobs --wait
# on each machine, one worker for the processor or for each card
dechirp job work --queue postgres://queue.example/jobs
dechirp job work --queue postgres://queue.example/jobs --device gpu:0
# from anywhere
dechirp job status s3://bucket/job --queue postgres://queue.example/jobs
dechirp job cancel s3://bucket/job --queue postgres://queue.example/jobs
