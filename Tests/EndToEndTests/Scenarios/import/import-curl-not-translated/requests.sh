cd data
curl -n http://127.0.0.1/books?since=$(date +%F) -d @missing.json
curl --netrc --interface eth0 http://127.0.0.1/authors
