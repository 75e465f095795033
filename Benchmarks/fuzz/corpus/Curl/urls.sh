curl a.b/c ftp://d HTTP://E/../f 'http://[::1]:8/x' --url http://g "$H/i"
