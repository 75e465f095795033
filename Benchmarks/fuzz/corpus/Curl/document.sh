curl http://a -d @- <<EOF
{"a": "$B"}
EOF
curl http://a --data-binary @- <<-'E'
	$x
	E
