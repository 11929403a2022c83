#!/usr/bin/env bash
# Runs the bundle of bundle.mjs on another machine: unpacks Node and Dawn, installs the loaders of Vulkan if there are none
# (needs root), finds the driver, and runs the bench beside the peer. Writes gpu.json, gpu.md, log.txt and device.txt to
# $OUT (default: ./out); with --fft-paper report.json, report.md, plots and result.json, which can be contributed.
#   bash on-device.sh [--bundle NAME] [options of the bench]
#   bash on-device.sh --fft-paper [--seconds S] [--quick] [--sizes N,…]
#   bash on-device.sh --memory [--seconds S] [--quick]
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bundle=bench
if [ "${1:-}" = --bundle ]; then bundle=$2; shift 2; fi
out=${OUT:-$PWD/out}
work=${TMPDIR:-/tmp}/dechirp-gpu-bench
mkdir -p "$out" "$work"

if [ ! -x "$work/unpacked/node" ]; then
  rm -rf "$work/unpacking"; mkdir "$work/unpacking"
  tar -C "$work/unpacking" -xJf "$here/runtime.tar.xz" ||
    python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' "$here/runtime.tar.xz" "$work/unpacking" || exit 1
  mv "$work/unpacking" "$work/unpacked" || exit 1
fi
if ! ldconfig -p | grep -q 'libvulkan\.so\.1'; then
  for deb in "$work"/unpacked/loaders/*.deb; do dpkg -x "$deb" / || exit 1; done
  ldconfig
fi
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp}
if [ -z "${VK_DRIVER_FILES:-}" ]; then
  for manifest in {/usr/local/nvidia/share,/etc,/usr/share}/vulkan/icd.d/nvidia_icd*.json; do
    if [ -e "$manifest" ]; then export VK_DRIVER_FILES=$manifest; break; fi
  done
fi
{ nvidia-smi; uname -a; echo "VK_DRIVER_FILES=${VK_DRIVER_FILES:-}"; ldconfig -p | grep -i vulkan; } >"$out/device.txt" 2>&1

DECHIRP_GPU_NAME=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)
export DECHIRP_GPU_NAME

cp "$here/$bundle.mjs" "$work/unpacked/$bundle.mjs" || exit 1
peer=()
if python3 -c 'import torch' 2>/dev/null; then peer=(--peer "python3 $here/cufft.py"); else echo "on-device: there is no PyTorch, so no peer"; fi
"$work/unpacked/node" "$work/unpacked/$bundle.mjs" --out "$out" "${peer[@]}" "$@" 2>&1 | tee "$out/log.txt"
exit "${PIPESTATUS[0]}"
