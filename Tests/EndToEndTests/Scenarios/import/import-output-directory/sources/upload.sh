curl http://127.0.0.1/upload --data-binary @sources/data.bin
