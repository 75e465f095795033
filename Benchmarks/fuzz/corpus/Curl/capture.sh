T=$(curl -s http://a/login -d u=1 | jq -r .token)
curl http://a/me -H "Authorization: Bearer $T"
