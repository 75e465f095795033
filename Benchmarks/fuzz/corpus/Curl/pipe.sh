printf '%s\n' 'a=1' | curl -d @- http://a | jq .
echo -n YQ== | base64 -d | gzip -c | curl -H 'Content-Encoding: gzip' --data-binary @- http://a
