curl -F 'a=b;type=text/x; charset=utf-8;filename="c\"d"' -F 'f=@x.png,y.txt;type=a/b' -F 'g=<z' --form-string 'h=@i' http://a
