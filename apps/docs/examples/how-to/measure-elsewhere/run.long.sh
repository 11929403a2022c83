bash bundle/on-device.sh --fft-paper --seconds 0.5
