curl http://a/b
