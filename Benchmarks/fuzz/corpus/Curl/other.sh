#!/bin/sh
set -e
# first
curl http://a && echo ok || exit 1
cd x
for i in 1 2; do curl http://a/$i; done
