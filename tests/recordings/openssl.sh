needs openssl nginx setpriv
version "OpenSSL $(openssl version | cut -d' ' -f2)"
http_server
site="$RECORD_WORLD/../http"
cp "$site/cert.pem" "$site/key.pem" "$site/old-cert.pem" . && cp "$site/old-key.pem" other-key.pem
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.pem 2>/dev/null
openssl pkey -in ec.pem -aes256 -passout pass:right -out locked.pem 2>/dev/null
openssl pkcs12 -export -in cert.pem -inkey key.pem -passout pass:right -out store.p12 2>/dev/null
openssl pkcs12 -export -legacy -in cert.pem -inkey key.pem -passout pass:right -out legacy.p12 2>/dev/null
echo hello >data.txt && echo other >other.txt
openssl enc -aes-256-cbc -pbkdf2 -pass pass:right -in data.txt -out data.enc
openssl dgst -sha256 -sign key.pem -out data.sig data.txt
openssl x509 -in cert.pem -pubkey -noout >pub.pem
echo garbage >noise.pem
openssl req -new -key key.pem -subj /CN=me -out me.csr 2>/dev/null

record openssl x509 -in nowhere.pem -noout -text
record openssl x509 -in noise.pem -noout -text
record openssl x509 -in key.pem -noout -text
record openssl x509 -in cert.pem -inform DER -noout
record openssl x509 -in cert.pem -noout -subject -issuer
record openssl x509 -in cert.pem -noout -checkend 86400
record openssl x509 -in cert.pem -noout -checkend 8640000
record openssl x509 -in old-cert.pem -noout -checkend 0
record openssl x509 -in cert.pem -noout -checkhost elsewhere.example
record openssl verify -frobnicate cert.pem
record openssl x509 -req -in me.csr -CA cert.pem -CAkey other-key.pem -out me.pem
record openssl verify cert.pem
record openssl verify old-cert.pem
record openssl verify -CAfile cert.pem cert.pem
record openssl verify -CAfile old-cert.pem old-cert.pem
record openssl verify nowhere.pem
record openssl verify -CAfile nowhere.pem cert.pem
record openssl dgst -sha256 -verify pub.pem -signature data.sig data.txt
record openssl dgst -sha256 -verify pub.pem -signature data.sig other.txt
record openssl dgst -sha256 nowhere.txt
record openssl dgst -sha256 data.txt
record openssl dgst -frob data.txt
record openssl md4 data.txt
record openssl enc -d -aes-256-cbc -pbkdf2 -pass pass:wrong -in data.enc
record openssl enc -d -aes-256-cbc -pbkdf2 -pass pass:right -in data.txt
record openssl enc -d -aes-256-cbc -pbkdf2 -pass pass:right -in data.enc
record openssl enc -aes-256-cbc -in data.txt
record openssl enc -frob -in data.txt
record openssl pkey -in locked.pem -noout -passin pass:wrong
record openssl pkey -in locked.pem -noout
record openssl rsa -in ec.pem -noout
record openssl rsa -in nowhere.pem
record openssl pkcs12 -in store.p12 -passin pass:wrong -noout
record openssl pkcs12 -in legacy.p12 -passin pass:right -nokeys
record openssl pkcs12 -in noise.pem -passin pass:right
record openssl pkcs12 -export -in cert.pem -inkey other-key.pem -passout pass:x -out x.p12
record openssl frob
record openssl req -new -key key.pem -out me2.csr
record openssl req -new -key key.pem -subj CN=me
record openssl req -new -config nowhere.cnf -key key.pem -subj /CN=me
record openssl genpkey -algorithm FROB
record openssl genrsa abc
record openssl genpkey -algorithm RSA -out nowhere/key.pem
record openssl rand -hex abc
record openssl rand -hex 4
record openssl s_client -connect "$CLOSED"
record openssl s_client -connect host.example.invalid:443
record openssl s_client -connect "${HTTP#http://}"
record openssl s_client -connect "${HTTPS#https://}" -verify_return_error -brief
record openssl s_client -connect "${HTTPS#https://}" -brief
record openssl s_client -connect "${HTTPS#https://}" -tls1 -brief
record openssl s_client -connect "$HANGUP" -brief
record openssl s_client -connect abc
record openssl base64 -d -in nowhere
record openssl asn1parse -in noise.pem
mkdir -p ca && : >ca/index.txt && echo 01 >ca/serial
printf '[ca]\ndefault_ca=one\n[one]\ndatabase=ca/index.txt\nserial=ca/serial\nnew_certs_dir=ca\ndefault_md=sha256\npolicy=any\ndefault_days=9\n[any]\ncommonName=supplied\n' >ca.cnf
openssl ca -batch -config ca.cnf -cert cert.pem -keyfile key.pem -in me.csr -out me.pem 2>/dev/null
record openssl ca -batch -config ca.cnf -cert cert.pem -keyfile key.pem -in me.csr -out me.pem
echo secret >mine.pem && chmod 600 mine.pem && chmod 755 "$RECORD_WORLD/.."
as_nobody openssl x509 -in mine.pem -noout
