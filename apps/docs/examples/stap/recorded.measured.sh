ln -s "$DECHIRP_DATA/mountain-top/t38pre01v1_cpi_6.mat" t38pre01v1_cpi_6.mat
ln -s "$DECHIRP_DATA/perfect-stap-small" perfect-stap-small
# region commands
dechirp stap t38pre01v1_cpi_6.mat --out stap # Mountain Top, recognised by its variables
dechirp stap perfect-stap-small --out perfect # the PERFECT suite: compares with the suite's own output
dechirp stap perfect-stap-small --training adjacent --output amf --out adjacent
# endregion commands
