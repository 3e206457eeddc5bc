!BIOSYM archive 3
PBC=OFF
