curl -X POST \
  http://a/b \
  -H 'A: b' \
  -d '{"a":1}'
