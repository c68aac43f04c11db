#!/bin/sh
# Puts the shards together, judges and draws them.
here=@HERE@
cd @ROOT@ || exit 2
exec "$here/clothlab" merge "$here/shards" --out "$here/merged" --fresh
