curl -u a:b --digest http://a; curl --oauth2-bearer t http://a; curl --aws-sigv4 aws:amz:eu:s3 -u k:s http://a.b/
