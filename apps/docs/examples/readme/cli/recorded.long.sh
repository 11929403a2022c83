npx dechirp focus scene5 --out image --doppler-centroid -6900  # a RADARSAT-1 CD scene
npx dechirp backproject gotcha --out image                     # phase histories into an image
npx dechirp backproject file.cphd --out image --format sicd,cog # a CPHD file into a SICD file and a GeoTIFF
npx dechirp stap t38pre01v1_cpi_6.mat --out stap               # array data into detections
