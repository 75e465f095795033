#!/bin/sh
set -e
BASE=https://api.example.org/v1
# log in
TOKEN=$(curl -s $BASE/login -d user=ada --data-urlencode "password=$SHOP_PASSWORD" | jq -r .session.token)

# add a book
curl "$BASE/books" \
  -H "Authorization: Bearer $TOKEN" -H 'Accept: application/json' \
  -H 'Content-Type: application/json' \
  -d '{"title": "Dune", "price": 9.50, "tags": ["novel", "sand"]}'

curl -G $BASE/books -H "Authorization: Bearer $TOKEN" -H 'Accept: application/json' -d author=Herbert -d page=2
curl -X DELETE $BASE/books/7 -H "Authorization: Bearer $TOKEN" -H 'Accept: application/json'
curl -F cover=@cover.png -F 'note=front;type=text/x-note' $BASE/covers -H 'Accept: application/json'
curl https://status.example.org/ -u ada:open-4711 -kL -m 5 -H 'Accept: application/json'
