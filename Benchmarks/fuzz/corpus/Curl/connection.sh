curl --resolve a:80:127.0.0.1 --connect-to ::1.2.3.4:5 -x socks5://u:p@h:1 --unix-socket /s --cacert c -E d:e --tlsv1.2 http://a
