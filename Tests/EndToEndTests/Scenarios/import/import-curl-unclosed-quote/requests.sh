curl http://127.0.0.1/a
curl 'http://127.0.0.1/b
