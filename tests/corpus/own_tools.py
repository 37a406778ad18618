"""Cases of our own: package managers, builds, browsers, servers and what log collectors make of their words.

Each entry says why an expert decides so. Imported by tests/corpus/run for what it adds to own_cases.CASES.
"""
from own_cases import C, O, T, U, K, case, failing, traceback

FULL = [(0, 10), (42, 95)]  # memory in percent over seconds

# ---- installs ----

failing('inst-conda', C, 'conda found no such packages', 'PackagesNotFoundError: The following packages are not available from current channels:\n\n  - fastgeo==9.1', 1, 'conda install -y fastgeo==9.1',
        expect={'factors': ['install_failed', 'exit_code:1'], 'signature_contains': ['PackagesNotFoundError']})
failing('inst-mamba', C, 'mamba could not solve the versions', 'error    libmamba Could not solve for environment specs\nThe following packages are incompatible\n\u251c\u2500 numpy 1.21* is requested and can be installed;\n\u2514\u2500 pandas 2.2* is not installable because it requires\n   \u2514\u2500 numpy >=1.22.4', 1, 'mamba install numpy=1.21 pandas=2.2',
        expect={'factors': ['install_failed']})
failing('inst-poetry', C, 'poetry could not solve the versions', 'Because shop depends on urlkit (^3.0) which doesn\'t match any versions, version solving failed.', 1, 'poetry install',
        expect={'factors': ['install_failed', 'exit_code:1'], 'signature_contains': ['urlkit', 'version solving failed']})
failing('inst-uv', C, 'uv could not solve the versions', "  \u00d7 No solution found when resolving dependencies:\n  \u2570\u2500\u25b6 Because asyncfetch==0.14.0 depends on urlkit<2.8 and you require urlkit==2.9.1, we can conclude that your requirements are unsatisfiable.", 1, 'uv pip install -r requirements.txt',
        expect={'factors': ['install_failed', 'exit_code:1'], 'signature_contains': ['urlkit']})
failing('inst-uv-download', C, 'uv could not look a host name up', "error: Failed to fetch: `https://files.example.com/simple/zod/`\n  Caused by: Request failed after 3 retries\n  Caused by: error sending request for url (https://files.example.com/simple/zod/)\n  Caused by: client error (Connect)\n  Caused by: dns error: failed to lookup address information: Temporary failure in name resolution", 2, 'uv sync',
        expect={'factors': ['network_blocked', 'install_failed', 'exit_code:2']})
failing('inst-cargo-network', C, 'cargo could not reach its index', "error: failed to get `serde` as a dependency of package `shop v0.1.0 (/home/user/shop)`\n\nCaused by:\n  failed to query replaced source registry `index`\n\nCaused by:\n  [6] Could not resolve hostname (Could not resolve host: index.example.com)", 101, 'cargo build',
        expect={'factors': ['network_blocked', 'exit_code:101']})
failing('inst-maven', C, 'Maven could not get a library', '[ERROR] Failed to execute goal on project shop: Could not resolve dependencies for project com.acme:shop:jar:1.0: Could not find artifact com.acme:rates:jar:2.4 in central (https://repo.example.com/maven2) -> [Help 1]', 1, 'mvn -q package',
        expect={'factors': ['install_failed', 'exit_code:1'], 'signature_contains': ['com.acme:rates']})
failing('inst-gradle', C, 'Gradle could not get a library', "FAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':app:compileJava'.\n> Could not resolve all files for configuration ':app:compileClasspath'.\n   > Could not find com.acme:rates:2.4.", 1, './gradlew build',
        expect={'factors': ['install_failed', 'exit_code:1'], 'signature_contains': ['com.acme:rates']})
failing('inst-apt-lock', C, 'apt found its lock taken by another process', 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 412 (apt-get)\nE: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?', 100, 'apt-get install -y ffmpeg',
        expect={'factors': ['exit_code:100'], 'signature_contains': ['lock']})
failing('inst-apt-root', C, 'apt without the right to install', 'E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)\nE: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), are you root?', 100, 'apt-get install -y ffmpeg',
        expect={'factors': ['permission_denied', 'exit_code:100', 'install_failed']})
failing('inst-apt-dns', C, 'apt could not look a host name up', "Err:1 http://deb.example.com/debian bookworm InRelease\n  Temporary failure resolving 'deb.example.com'\nE: Failed to fetch http://deb.example.com/debian/dists/bookworm/InRelease  Temporary failure resolving 'deb.example.com'\nE: Some index files failed to download. They have been ignored, or old ones used instead.", 100, 'apt-get update && apt-get install -y jq',
        expect={'factors': ['network_blocked', 'install_failed']})
failing('inst-apk', C, 'apk found no such package', 'ERROR: unable to select packages:\n  fastgeo (no such package):\n    required by: world[fastgeo]', 1, 'apk add fastgeo',
        expect={'factors': ['install_failed'], 'signature_contains': ['fastgeo']})
failing('inst-dnf', C, 'dnf found no such package', 'Error: Unable to find a match: fastgeo', 1, 'dnf install -y fastgeo', expect={'factors': ['install_failed'], 'signature_contains': ['fastgeo']})
failing('inst-gem', C, 'a gem with native code could not be built', 'ERROR:  Error installing pg:\n\tERROR: Failed to build gem native extension.\n\n    current directory: /var/lib/gems/3.1.0/gems/pg-1.5.4/ext\nchecking for libpq-fe.h... no\nCan\'t find the \'libpq-fe.h header', 1, 'gem install pg',
        expect={'factors': ['install_failed'], 'signature_contains': ['pg|native extension']})
failing('inst-composer', C, 'composer could not solve the versions', 'Your requirements could not be resolved to an installable set of packages.\n\n  Problem 1\n    - Root composer.json requires acme/rates ^3.0, found acme/rates[2.0.0, ..., 2.9.1] but it does not match the constraint.', 2, 'composer install',
        expect={'factors': ['install_failed', 'exit_code:2'], 'signature_contains': ['acme/rates']})
failing('inst-nuget', C, 'NuGet found no such package', '/home/user/shop/shop.csproj : error NU1101: Unable to find package Acme.Rates. No packages exist with this id in source(s): nuget.org', 1, 'dotnet restore',
        expect={'factors': ['install_failed'], 'signature_contains': ['NU1101', 'Acme.Rates']})
failing('inst-go-sum', C, 'a Go module could not be verified', 'go: github.com/acme/rates@v1.4.0: verifying module: checksum mismatch\n\tdownloaded: h1:abc=\n\tgo.sum:     h1:def=\n\nSECURITY ERROR', 1, 'go mod download',
        expect={'factors': ['install_failed'], 'signature_contains': ['checksum mismatch']})
failing('inst-hex', C, 'Hex could not solve the versions', 'Resolving Hex dependencies...\nResolution completed in 0.02s\nBecause your app depends on plug ~> 9.0 which doesn\'t match any versions, version solving failed.\n** (Mix) Hex dependency resolution failed', 1, 'mix deps.get', expect={'factors': ['install_failed'], 'signature_contains': ['Hex dependency resolution failed|version solving failed']})
failing('inst-swift', C, 'Swift could not solve the versions', "error: Dependencies could not be resolved because root depends on 'rates' 3.0.0..<4.0.0.", 1, 'swift build', expect={'factors': ['install_failed'], 'signature_contains': ['rates']})
failing('inst-bun', C, 'bun found no such package', 'error: No version matching "^9" found for specifier "left-pad" (but package exists)\nerror: left-pad@^9 failed to resolve', 1, 'bun install', expect={'factors': ['install_failed'], 'factors_excludes': ['network_blocked'], 'signature_contains': ['left-pad']})
failing('inst-pnpm-frozen', C, 'the lock file does not fit', ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with package.json', 1, 'pnpm install --frozen-lockfile', expect={'factors': ['install_failed'], 'signature_contains': ['ERR_PNPM_OUTDATED_LOCKFILE']})
failing('inst-npm-ci-lock', C, 'the lock file does not fit', "npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.", 1, 'npm ci', expect={'factors': ['install_failed'], 'signature_contains': ['EUSAGE']})
failing('inst-npm-gyp', C, 'a package with native code could not be built: no compiler', 'npm error code 1\nnpm error path /home/user/a/node_modules/sqlite3\nnpm error command failed\nnpm error gyp ERR! find Python Python is not set from command line or npm configuration\nnpm error gyp ERR! stack Error: Could not find any Python installation to use', 1, 'npm install', expect={'factors': ['install_failed', 'exit_code:1']})
failing('inst-npm-reset', C, 'the connection to the package server broke', 'npm error code ECONNRESET\nnpm error network aborted\nnpm error network This is a problem related to network connectivity.', 1, 'npm install', expect={'factors': ['install_failed'], 'signature_contains': ['ECONNRESET']})
failing('inst-pip-ssl', C, 'pip did not trust a certificate', "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate'))': /simple/zod/\nERROR: Could not find a version that satisfies the requirement zod (from versions: none)\nERROR: No matching distribution found for zod", 1, 'pip install zod', expect={'factors': ['install_failed'], 'factors_excludes': ['network_blocked']})
failing('inst-pip-hash', C, 'pip refused a file whose sum does not fit', 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated the package versions, please update the hashes.\n    zod from https://files.example.com/zod-1.tar.gz:\n        Expected sha256 aaa\n             Got        bbb', 1, 'pip install -r r.txt', expect={'factors': ['install_failed']})
failing('inst-pip-disk', C, 'pip found the disk full', 'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device', 1, 'pip install torch', disk=100, expect={'factors': ['install_failed', 'disk_full'], 'signature_contains': ['No space left on device']})
failing('inst-pip-externally', C, 'pip refuses to touch the system\'s Python', 'error: externally-managed-environment\n\n\u00d7 This environment is externally managed', 1, 'pip install zod', expect={'factors': ['install_failed'], 'signature_contains': ['externally-managed-environment']})
failing('inst-pip-header', C, 'a package with native code could not be built: a header is missing', "  error: subprocess-exited-with-error\n  \u00d7 Building wheel for pylev (pyproject.toml) did not run successfully.\n      ext.c:4:10: fatal error: Python.h: No such file or directory\n      error: command '/usr/bin/gcc' failed with exit code 1\n  ERROR: Failed building wheel for pylev", 1, 'pip install pylev', expect={'factors': ['install_failed', 'missing_package'], 'signature_contains': ['Python.h']})
failing('inst-rscript', C, 'an R package could not be compiled', "ERROR: dependency \u2018terra\u2019 is not available for package \u2018sf\u2019\n* removing \u2018/usr/local/lib/R/site-library/sf\u2019\nWarning message:\nIn install.packages(\"sf\") :\n  installation of package \u2018sf\u2019 had non-zero exit status", 1, "Rscript -e 'install.packages(\"sf\")'", expect={'factors': ['install_failed'], 'signature_contains': ['sf']})
case('inst-retried', U, 'The first install failed by name resolution, the second worked and the script finished. Then the sandbox was removed.', end=120,
     procs=[(500, 'npm install', 5, 12), (501, 'npm install', 20, 40), (502, 'node build.js', 41, 90)],
     out=[(11.8, 'e', 'npm error code EAI_AGAIN\nnpm error errno EAI_AGAIN\nnpm error request failed'), (12.2, 'e', 'exit status 1'), (39.8, 'o', 'added 212 packages in 18s'), (89.5, 'o', 'build finished')])

# ---- builds and servers ----

failing('build-vite', C, 'vite could not resolve an import', 'error during build:\n[vite]: Rollup failed to resolve import "lodash-es" from "/home/user/shop/src/cart.ts".\nThis is most likely unintended because it can break your application at runtime.', 1, 'npm run build', expect={'factors': ['exit_code:1', 'missing_package'], 'factors_excludes': ['network_blocked'], 'signature_contains': ['lodash-es']})
failing('build-next-type', C, 'next build stopped at a type error', "Failed to compile.\n\n./src/app/page.tsx:12:9\nType error: Property 'total' does not exist on type 'Cart'.", 1, 'npm run build', expect={'signature_contains': ["Property 'total' does not exist"]})
failing('build-webpack', C, 'webpack could not resolve a module', "ERROR in ./src/index.js 3:0-28\nModule not found: Error: Can't resolve 'moment' in '/home/user/shop/src'\nwebpack 5.98.0 compiled with 1 error in 812 ms", 1, 'npx webpack', expect={'factors': ['missing_package'], 'signature_contains': ['moment']})
failing('build-esbuild', C, 'esbuild found a syntax error', '\u2718 [ERROR] Expected ";" but found "total"\n\n    src/cart.ts:9:8:\n      9 \u2502   let x total = 3', 1, 'npx esbuild src/cart.ts', expect={'signature_contains': ['Expected ";" but found']})
failing('build-cmake', C, 'cmake lacks a library', 'CMake Error at CMakeLists.txt:12 (find_package):\n  Could not find a package configuration file provided by "OpenCV" with any of\n  the following names:\n\n    OpenCVConfig.cmake\n-- Configuring incomplete, errors occurred!', 1, 'cmake -S . -B build', expect={'factors': ['exit_code:1'], 'signature_contains': ['CMake Error|OpenCV']})
failing('build-ld', C, 'the linker lacks a library', '/usr/bin/ld: cannot find -lpq: No such file or directory\ncollect2: error: ld returned 1 exit status\nmake: *** [Makefile:9: app] Error 1', 2, 'make', expect={'signature_contains': ['-lpq']})
failing('build-gcc', C, 'the compiler found an error', "src/grid.c:40:12: error: 'rows' undeclared (first use in this function)\nmake: *** [Makefile:12: grid.o] Error 1", 2, 'make', expect={'signature_contains': ["'rows' undeclared"]})
failing('build-javac', C, 'the Java compiler found an error', 'src/Cart.java:12: error: cannot find symbol\n    Rate r = find(code);\n    ^\n  symbol:   class Rate\n1 error', 1, 'javac src/Cart.java', expect={'signature_contains': ['cannot find symbol']})
failing('build-go', C, 'the Go compiler found an error', '# github.com/acme/shop\n./cart.go:12:9: undefined: rateOf', 1, 'go build ./...', expect={'signature_contains': ['undefined: rateOf']})
failing('build-swift', C, 'the Swift compiler found an error', "/home/user/Sources/shop/Cart.swift:22:9: error: cannot find 'rateOf' in scope", 1, 'swift build', expect={'signature_contains': ["cannot find 'rateOf' in scope"]})
failing('build-jekyll', C, 'a static site generator failed in a page', "  Liquid Exception: Liquid syntax error (line 12): Unknown tag 'incude' in _layouts/post.html", 1, 'bundle exec jekyll build', expect={'signature_contains': ['Unknown tag']})
failing('build-terraform', C, 'terraform could not log in', 'Error: error configuring provider: no valid credential sources found', 1, 'terraform plan', expect={'factors_excludes': ['network_blocked'], 'signature_contains': ['no valid credential sources']})
failing('srv-bind-privileged', C, 'the program may not listen on a port below 1024', 'Error: listen EACCES: permission denied 0.0.0.0:80\n    at Server.setupListenHandle [as _listen2] (node:net:1886:21)', 1, 'node app.js', expect={'factors': ['permission_denied'], 'signature_contains': ['EACCES', '80']})
failing('srv-mysql-denied', C, 'the database refused the login: no network failure', traceback('connect()', 'pymysql.err.OperationalError: (1045, "Access denied for user \'shop\'@\'10.0.0.7\' (using password: YES)")'), 1, expect={'factors_excludes': ['network_blocked', 'permission_denied'], 'signature_contains': ['1045', 'Access denied']})
failing('srv-ssh-publickey', C, 'the other side refused the key: no matter of file permissions', 'git@git.example.com: Permission denied (publickey).\nfatal: Could not read from remote repository.', 128, 'git clone git@git.example.com:acme/shop.git', expect={'factors_excludes': ['permission_denied', 'network_blocked'], 'signature_contains': ['publickey']})
failing('srv-mongo-select', C, 'no database server answered', traceback('db.items.find_one()', "pymongo.errors.ServerSelectionTimeoutError: localhost:27017: [Errno 111] Connection refused (configured timeouts: socketTimeoutMS: 20000.0ms), Timeout: 30s, Topology Description: <TopologyDescription id: 6630a1, topology_type: Unknown>"), 1, expect={'signature_contains': ['ServerSelectionTimeoutError', '27017', 'Connection refused'], 'factors_excludes': ['network_blocked']})
failing('srv-kafka-broker', C, 'no broker answered', 'kafka.errors.NoBrokersAvailable: NoBrokersAvailable', 1, expect={'signature_contains': ['NoBrokersAvailable']})
failing('srv-http-403', C, 'another service refused the request', 'requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: https://api.example.com/v1/x', 1, expect={'signature_contains': ['403'], 'factors_excludes': ['permission_denied', 'network_blocked']})
failing('srv-wget-404', C, 'a file to be fetched does not exist', '--2026-05-02 10:00:44--  https://files.example.com/data.csv\nHTTP request sent, awaiting response... 404 Not Found\n2026-05-02 10:00:45 ERROR 404: Not Found.', 8, 'wget https://files.example.com/data.csv', expect={'factors': ['exit_code:8'], 'signature_contains': ['404']})
failing('srv-curl-28', C, 'a fetch ran into its own time limit: that of the program, not of the sandbox', 'curl: (28) Operation timed out after 30001 milliseconds with 0 bytes received', 28, 'curl -m 30 https://slow.example.com/', expect={'factors': ['exit_code:28'], 'signature_contains': ['curl: (28)'], 'factors_excludes': ['network_blocked']})
failing('srv-curl-7', C, 'a fetch was refused', 'curl: (7) Failed to connect to localhost port 8000 after 0 ms: Connection refused', 7, 'curl http://localhost:8000/', expect={'factors': ['exit_code:7'], 'signature_contains': ['8000', 'refused']})
failing('srv-s3-endpoint', C, 'the name of a storage service could not be looked up', traceback('s3.get_object()', 'botocore.exceptions.EndpointConnectionError: Could not connect to the endpoint URL: "https://b.s3.example.com/x"'), 1, expect={'signature_contains': ['EndpointConnectionError']})
failing('srv-s3-credentials', C, 'no credentials for a storage service', traceback('s3.get_object()', 'botocore.exceptions.NoCredentialsError: Unable to locate credentials'), 1, expect={'signature_contains': ['NoCredentialsError'], 'factors_excludes': ['network_blocked', 'missing_package']})
failing('srv-tls-expired', C, 'a certificate had expired', traceback('pull()', "ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1006)"), 1, expect={'signature_contains': ['certificate has expired']})
failing('srv-proxy-403', C, 'the proxy blocked the connection', 'requests.exceptions.ProxyError: HTTPSConnectionPool(host=\'api.example.com\', port=443): Max retries exceeded with url: / (Caused by ProxyError(\'Unable to connect to proxy\', OSError(\'Tunnel connection failed: 403 Forbidden\')))', 1, expect={'factors': ['network_blocked'], 'signature_contains': ['403']})
failing('srv-unreachable', C, 'the network could not be reached', traceback('s.connect(a)', 'OSError: [Errno 113] No route to host'), 1, expect={'factors': ['network_blocked'], 'signature_contains': ['113']})

# ---- browsers ----

failing('web-playwright-missing', C, 'the browser was never installed', "browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/chromium_headless_shell-1155/chrome-linux/headless_shell\n\u2554\u2550\u2557\n\u2551 Looks like Playwright was just installed or updated.       \u2551\n    at open (/home/user/shot.js:4:30)", 1, 'node shot.js', expect={'factors': ['missing_package'], 'signature_contains': ["Executable doesn't exist", 'open']})
failing('web-playwright-deps', C, 'libraries that the browser needs are missing', 'browserType.launch: \n\u2554\u2550\u2557\n\u2551 Host system is missing dependencies to run browsers. \u2551\n\u2551     libnss3                                          \u2551\n    at open (/home/user/shot.js:4:30)', 1, 'node shot.js', expect={'factors': ['missing_package']})
failing('web-puppeteer-launch', C, 'the browser did not start: a library is missing', 'Error: Failed to launch the browser process!\n/root/.cache/puppeteer/chrome/chrome: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory\n\n    at ChildProcess.onClose (/home/user/node_modules/@puppeteer/browsers/lib/cjs/launch.js:310:24)', 1, 'node shot.js', expect={'factors': ['missing_package'], 'signature_contains': ['libnss3.so']})
failing('web-chrome-sandbox', C, 'Chromium refuses to run as root with its own sandbox', '[0502/100044.310000:ERROR:zygote_host_impl_linux.cc(101)] Running as root without --no-sandbox is not supported. See https://crbug.com/638180.', 1, 'google-chrome --headless --screenshot https://a.example/', expect={'signature_contains': ['Running as root without --no-sandbox']})
failing('web-target-closed', C, 'the browser went away while memory was calm', 'playwright._impl._errors.TargetClosedError: Page.goto: Target page, context or browser has been closed\nCall log:\n  - navigating to "https://a.example/", waiting until "load"', 1, expect={'signature_contains': ['TargetClosedError']})
failing('web-page-crashed-full', O, 'a page of the browser vanished at full memory', 'Error: page.goto: Page crashed\nCall log:\n  - navigating to "https://map.example/", waiting until "load"\n\n    at shoot (/home/user/shot.js:9:14)', 1, 'node shot.js', mem_pts=FULL, expect={'confidence_at_least': 'medium', 'signature_contains': ['Page crashed', 'shoot']})
failing('web-page-crashed-calm', C, 'a page of the browser vanished with calm memory: it failed by itself', 'Error: page.goto: Page crashed\n    at shoot (/home/user/shot.js:9:14)', 1, 'node shot.js', expect={'signature_contains': ['Page crashed']})
failing('web-dev-shm', C, 'Chromium ran out of shared memory, which is not the sandbox\'s memory', '[0502/100044.310:ERROR:platform_shared_memory_region_posix.cc(217)] Creating shared memory in /dev/shm/.org.chromium.Chromium.abc failed: No space left on device (28)\n[0502/100044.311:FATAL:memory.cc(38)] Out of memory. size=262144\nTrace/breakpoint trap (core dumped)', 133, './shot.sh', mem_pts=FULL, expect={'factors_excludes': ['disk_full']})
failing('web-selenium-disconnected', C, 'the driver lost the browser with calm memory', 'selenium.common.exceptions.WebDriverException: Message: disconnected: not connected to DevTools\n  (failed to check if window was closed: disconnected: not connected to DevTools)', 1, expect={'signature_contains': ['WebDriverException', 'disconnected']})
failing('web-selenium-tab', O, 'the tab crashed at full memory', 'selenium.common.exceptions.WebDriverException: Message: unknown error: session deleted because of page crash\nfrom unknown error: cannot determine loading status\nfrom tab crashed', 1, mem_pts=FULL, expect={'signature_contains': ['page crash|tab crashed']})
failing('web-cypress', O, 'Cypress tells that the renderer crashed, at full memory', 'We detected that the Chromium Renderer process just crashed.\n\nThis can happen for a number of different reasons.', 1, 'npx cypress run', mem_pts=FULL)
failing('web-nav-timeout', C, 'a wait of the browser ran out: the program\'s own limit', 'TimeoutError: page.goto: Timeout 30000ms exceeded.\nCall log:\n  - navigating to "https://slow.example/", waiting until "load"\n\n    at shoot (/home/user/shot.js:9:14)', 1, 'node shot.js', expect={'factors': ['exit_code:1'], 'signature_contains': ['Timeout', 'shoot']})
failing('web-net-refused', C, 'the browser could not reach the page', 'Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:3000/\n    at shoot (/home/user/shot.js:9:14)', 1, 'node shot.js', expect={'signature_contains': ['ERR_CONNECTION_REFUSED'], 'factors_excludes': ['network_blocked']})

# ---- what log collectors do to lines ----

TB = traceback('f()', "KeyError: 'unit_price'")
WRAPS = {
    'wrap-kubelet': ('2026-05-02T10:00:44.812345678Z stderr F ', ''),
    'wrap-journald': ('May 02 10:00:44 sandbox python3[512]: ', ''),
    'wrap-compose': ('etl-worker-2  | ', ''),
    'wrap-torchrun': ('[rank0]: ', ''),
    'wrap-mpirun': ('[1,0]<stderr>:', ''),
    'wrap-heroku': ('2026-05-02T10:00:44+00:00 app[worker.1]: ', ''),
    'wrap-concurrently': ('[etl] ', ''),
    'wrap-turbo': ('shop:etl: ', ''),
    'wrap-bracket-time': ('[2026-05-02 10:00:44,310] ', ''),
    'wrap-colour': ('\x1b[31m', '\x1b[0m'),
    'wrap-crlf': ('', '\r'),
    'wrap-pm2-cluster': ('3|etl-job  | ', ''),
    'wrap-foreman': ('10:00:44 etl.1   | ', ''),
}
for name, (before, after) in WRAPS.items():
    failing(name, C, 'a collector put its own words around each line; the error is the same',
            '\n'.join(before + line + after for line in TB.split('\n')), 1, 'bash run.sh',
            expect={'factors': ['exit_code:1'], 'signature_contains': ["KeyError: 'unit_price' in run"]})
failing('wrap-docker-json', C, 'Docker keeps each line in a JSON record; the error inside is the same',
        '\n'.join('{"log":"%s\\n","stream":"stderr","time":"2026-05-02T10:00:44.8Z"}' % line.replace('"', '\\"') for line in TB.split('\n')), 1, 'bash run.sh',
        expect={'signature_contains': ["KeyError: 'unit_price' in run"]})
failing('wrap-pino', C, 'a logger writes its last error as JSON and the program ends',
        '{"level":60,"time":1777716044812,"pid":512,"hostname":"sandbox","msg":"connect ECONNREFUSED 127.0.0.1:5432"}', 1, 'node api.js',
        expect={'signature_contains': ['ECONNREFUSED', '5432'], 'signature_excludes': ['1777716044812']})
failing('wrap-logfmt', C, 'a logger writes its last error in key=value form and the program ends',
        'time="2026-05-02T10:00:44Z" level=fatal msg="cannot open ledger: permission denied" path=/var/ledger', 1, './svc',
        expect={'factors': ['permission_denied'], 'signature_contains': ['cannot open ledger: permission denied']})
failing('wrap-klog', C, 'a Go service writes its last error in the form of klog',
        'F0502 10:00:44.812345     512 main.go:41] cannot load rates: unexpected end of JSON input', 255, './svc',
        expect={'signature_contains': ['cannot load rates: unexpected end of JSON input'], 'signature_excludes': ['0502']})
