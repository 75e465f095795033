curl http://127.0.0.1/a \
  --heeder 'A: b'
curl http://127.0.0.1/b -d
