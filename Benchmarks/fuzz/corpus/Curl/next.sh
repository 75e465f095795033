curl http://a -d x --next -G -d y=1 http://b?z --next http://c{1,2}/[01-03:2]
