dechirp job plan recording.cphd --out /shared/job --tile 1024
dechirp job submit /shared/job --queue redis://queue.example
dechirp job work --queue redis://queue.example
