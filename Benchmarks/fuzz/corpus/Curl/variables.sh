T=abc
export U="http://$T"
curl $U/x -H "Authorization: Bearer $T"
