#!/bin/bash
# Makes what is missing of a job with pods of Kubernetes, and then its products. Run it again after tasks have failed.
#   kubernetes.bash s3://BUCKET/PREFIX [kubernetes-tasks-gpu.yaml]
# Before the first run, write AWS_ACCESS_KEY_ID=…, AWS_SECRET_ACCESS_KEY=… and AWS_REGION=… into a file:
#   kubectl create secret generic dechirp-bucket --from-env-file=FILE
set -euo pipefail
store=$1
here=$(dirname "$0")
tasks=$(dechirp job status "$store" | sed -n 's/.* of \([0-9]*\) tasks done.*/\1/p')

# Replaces the Job of an earlier run, and waits until it has ended. Sets `ended` to Complete or Failed.
make() {
  kubectl delete job "$1" --ignore-not-found
  sed -e "s#s3://radar/job#$store#" -e "s/completions: 64/completions: $tasks/" "$here/$2" | kubectl create -f -
  ended=
  while [ -z "$ended" ]; do
    sleep "${SECONDS_BETWEEN_LOOKS:-10}"
    conditions=$(kubectl get job "$1" -o jsonpath='{.status.conditions[?(@.status=="True")].type}')
    case " $conditions " in
      *" Complete "*) ended=Complete ;;
      *" Failed "*) ended=Failed ;;
    esac
  done
  echo "$1: $ended"
}

make dechirp-tasks "${2:-kubernetes-tasks.yaml}"
dechirp job status "$store"
make dechirp-assemble kubernetes-assemble.yaml
if [ "$ended" = Failed ]; then
  kubectl logs job/dechirp-assemble
  exit 1
fi
