#!/usr/bin/env bash
# On the machine with the GPU, in the folder that prepare.mjs made: unpacks, measures, leaves JSON lines and tables in $OUT.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
out=${OUT:-$PWD/out}
mkdir -p "$out"
[ -x node ] || { xz -dk node.xz && chmod +x node; }
dawn=node_modules/webgpu/dist/linux-x64/dawn.node
[ -e $dawn ] || xz -dk $dawn.xz
if [ -e /usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json ]; then
  export VK_DRIVER_FILES=/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json XDG_RUNTIME_DIR=/tmp
fi
OUT_JSON="$out/gpu.jsonl" timeout "${LIMIT:-300}" ./node bench.mjs 2>&1 | grep -v '^Warning: max' | tee "$out/gpu.txt"
if [ -z "${NO_PEERS:-}" ] && command -v python3 >/dev/null; then timeout 150 python3 cufft.py 2>&1 | tee "$out/cufft.jsonl"; fi
