#!/bin/sh
# Measures shard $1 of @SHARDS@. One that was stopped goes on where it was, here or on another machine that sees this folder.
here=@HERE@
cd @ROOT@ || exit 2
for try in 1 2 3 4; do
    "$here/clothlab" run @STUDY@ --shard "$1/@SHARDS@" @ARGUMENTS@ --out "$here/shards/$1"
    code=$?
    case $code in
        0) exit 0 ;;
        129 | 130 | 143) exit "$code" ;; # somebody wants it to stop
        1[3-9]?) echo "shard $1 was killed (exit code $code), try $try of 4" >&2 ;;
        *) exit "$code" ;;
    esac
done
exit "$code"
