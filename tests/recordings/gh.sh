needs gh git python3
version "gh $(gh --version | sed -n '1s/gh version \([0-9.]*\).*/\1/p')"

# A stand-in for GitHub's API on a unix socket. `answer STATUS BODY` says what it answers to everything,
# `answer STATUS BODY PATTERN` to requests whose "METHOD path body" matches; the latest match wins.
mkdir answers
cat >server.py <<'PYTHON'
import json, os, re, socketserver, http.server
class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def address_string(self): return "unix"
    def log_message(self, *_): pass
    def do(self):
        size = int(self.headers.get("Content-Length") or 0)
        asked = f"{self.command} {self.path} " + self.rfile.read(size).decode()
        status, body = 404, '{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}'
        for name in sorted(os.listdir("answers")):
            with open(f"answers/{name}") as file:
                head, text = file.read().split("\n", 1)
            code, pattern = head.split(" ", 1)
            if re.search(pattern, asked):
                status, body = int(code), text
        if status == 0:
            self.connection.close(); self.close_connection = True; return
        self.send_response(status)
        if os.path.exists("scopes"):  # what a token has, and what the request needs
            self.send_header("X-Oauth-Scopes", "repo")
            self.send_header("X-Accepted-Oauth-Scopes", "admin:org")
        self.send_header("Content-Type", "application/json" if body.startswith(("{", "[")) else "text/html")
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())
    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do
class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
Server("api.sock", Answers).serve_forever()
PYTHON
python3 server.py &
for _ in $(seq 50); do [ -S api.sock ] && break; sleep 0.1; done
count=100
answer() { count=$((count + 1)); printf '%s %s\n%s' "$1" "${3:-.}" "$2" >"$RECORD_WORLD/answers/$count"; }
clear_answers() {
  rm -f "$RECORD_WORLD"/answers/*
  answer 200 '{"data":{"repository":{"id":"R1","name":"world","owner":{"login":"octo"},"hasIssuesEnabled":true,"viewerPermission":"WRITE","defaultBranchRef":{"name":"main"},"mergeCommitAllowed":true,"parent":null}}}' 'RepositoryInfo|IssueRepositoryInfo'
  answer 200 '{"data":{"viewer":{"login":"mona"},"repo_000":{"id":"R1","name":"world","owner":{"login":"octo"},"viewerPermission":"WRITE","defaultBranchRef":{"name":"main"},"isPrivate":false}}}' RepositoryNetwork
  answer 200 '{"data":{"PullRequest":{"fields":[]}}}' '_fields'
  answer 200 '{"data":{"viewer":{"login":"mona"}}}' 'UserCurrent'
}
graphql_error() { answer 200 "{\"data\":null,\"errors\":[{\"type\":\"$1\",\"path\":[\"$3\"],\"message\":\"$2\"}]}" "$4"; }
pull='{"id":"P5","number":5,"state":"OPEN","isDraft":false,"title":"Second look","url":"https://github.com/octo/world/pull/5","headRefName":"topic","baseRefName":"main","headRepositoryOwner":{"login":"octo"},"isCrossRepository":false,"mergeable":"MERGEABLE","mergeStateStatus":"CLEAN","commits":{"nodes":[],"totalCount":1},"statusCheckRollup":{"nodes":[]}}'
mkdir tmp; export TMPDIR="$PWD/tmp" # gh keeps answers there for a day
export GH_CONFIG_DIR="$PWD/config" GIT_CONFIG_GLOBAL="$PWD/gitconfig"
git config --global user.name Mona; git config --global user.email mona@example.com; git config --global init.defaultBranch main

# Without the server: nobody logged in, no network, no repository
record gh pr list -R octo/world
record gh auth status
record gh nope
record gh pr lst
record gh pr list --nope
record gh pr list --state bogus
record gh pr view
record gh --version
export GH_TOKEN=gho_0000000000000000000000000000000000
record gh api repos/octo/world
record gh pr list -R octo/world
gh config set http_unix_socket "$PWD/api.sock"
mkdir plain; cd plain; record gh pr list; cd ..
git init -q bare; cd bare; record gh pr list; git remote add origin https://git.example.com/octo/world.git; record gh issue list; cd ..
git init -q world; cd world; git remote add origin https://github.com/octo/world.git
git commit -q --allow-empty -m first

version "$RECORD_VERSION (simulated API server)"
clear_answers
record gh pr create
record gh pr list -R octo
record gh repo delete octo/world
record gh pr list --json nope
record gh pr list --json
answer 401 '{"message":"Bad credentials","documentation_url":"https://docs.github.com/rest"}'
record gh pr list
record gh api user
record gh auth status
clear_answers
graphql_error NOT_FOUND "Could not resolve to a Repository with the name 'octo/nope'." repository
record gh repo view octo/nope
graphql_error NOT_FOUND 'Could not resolve to a PullRequest with the number of 77.' 'repository","pullRequest'
record gh pr view 77
clear_answers
answer 404 '{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}' GET
record gh api repos/octo/nope
record gh release view v9
record gh run view 99
answer 403 '{"message":"API rate limit exceeded for user ID 4242.","documentation_url":"https://docs.github.com/rest/rate-limit"}'
record gh api user/repos
graphql_error RATE_LIMITED 'API rate limit exceeded for user ID 4242.' viewer
record gh pr list
answer 403 '{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again.","documentation_url":"https://docs.github.com/rest"}'
record gh issue create -t Title -b Body
answer 403 '{"message":"Resource not accessible by integration","documentation_url":"https://docs.github.com/rest"}'
record gh workflow run build.yml
answer 403 '{"message":"Must have admin rights to Repository.","documentation_url":"https://docs.github.com/rest"}' 'DELETE|PATCH|PUT|actions'
touch ../scopes; record gh secret list; rm ../scopes
answer 403 '{"message":"Upgrade to GitHub Pro or make this repository public to enable this feature.","documentation_url":"https://docs.github.com/rest"}'
record gh api repos/octo/world/branches/main/protection
graphql_error FORBIDDEN 'Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.' repository
record gh issue list
graphql_error INSUFFICIENT_SCOPES "Your token has not been granted the required scopes to execute this query. The 'login' field requires one of the following scopes: ['read:org'], but your token has only been granted the: ['repo'] scopes. Please modify your token's scopes at: https://github.com/settings/tokens." viewer
record gh pr status
answer 502 '<html><body><h1>502 Bad Gateway</h1></body></html>'
record gh pr list -L 100
answer 504 '{"message":"We couldn'"'"'t respond to your request in time. Sorry about that."}'
record gh api search/issues
answer 500 '{"message":"Internal Server Error"}'
record gh issue view 3
clear_answers; answer 0 ''
record gh issue list -L 5
clear_answers
answer 200 '{"data":{"repository":{"pullRequests":{"totalCount":0,"nodes":[]},"defaultBranchRef":{"name":"main"},"issues":{"totalCount":0,"nodes":[]},"hasIssuesEnabled":true}}}' 'query PullRequest(ForBranch|List)|IssueList'
record gh pr view
record gh pr list
answer 200 '{"data":{"repository":{"issues":{"totalCount":0,"nodes":[]},"hasIssuesEnabled":false}}}' 'IssueList|issues'
record gh issue list
graphql_error UNPROCESSABLE 'No commits between main and topic' createPullRequest 'createPullRequest|PullRequestCreate'
record gh pr create -t Title -b Body -H topic
graphql_error UNPROCESSABLE 'A pull request already exists for octo:topic.' createPullRequest 'createPullRequest|PullRequestCreate'
record gh pr create --title Title --body Body --head topic
graphql_error UNPROCESSABLE "Head sha can't be blank, Base sha can't be blank, No commits between main and nope, Head ref must be a branch" createPullRequest 'createPullRequest|PullRequestCreate'
record gh pr create -t Title -b Body -H nope
answer 200 "{\"data\":{\"repository\":{\"pullRequests\":{\"totalCount\":1,\"nodes\":[$pull]}}}}" 'PullRequestForBranch'
record gh pr create -t Title -b Body -H topic -B main
answer 200 "{\"data\":{\"repository\":{\"pullRequest\":${pull/CLEAN/BLOCKED}}}}" PullRequestByNumber
record gh pr merge 5 --merge
answer 200 "{\"data\":{\"repository\":{\"pullRequest\":${pull/CLEAN/DIRTY}}}}" PullRequestByNumber
record gh pr merge 5 --squash
answer 200 "{\"data\":{\"repository\":{\"pullRequest\":${pull/CLEAN/BEHIND}}}}" PullRequestByNumber
record gh pr merge 5 --rebase
answer 200 "{\"data\":{\"repository\":{\"pullRequest\":$pull}}}" PullRequestByNumber
record gh pr merge 5
graphql_error UNPROCESSABLE 'Base branch was modified. Review and try the merge again.' mergePullRequest 'mutation PullRequestMerge'
record gh pr merge 5 -m
graphql_error UNPROCESSABLE 'Pull Request is still a draft' mergePullRequest 'mutation PullRequestMerge'
record gh pr merge 5 -s
graphql_error FORBIDDEN 'mona does not have the correct permissions to execute `MergePullRequest`' mergePullRequest 'mutation PullRequestMerge'
record gh pr merge 5 -r
graphql_error UNPROCESSABLE 'Can not approve your own pull request' addPullRequestReview 'mutation PullRequestReviewAdd'
record gh pr review 5 --approve
run() { printf '{"__typename":"CheckRun","name":"%s","status":"%s","conclusion":"%s","startedAt":"2024-05-01T10:00:00Z","completedAt":"2024-05-01T10:01:30Z","detailsUrl":"https://github.com/octo/world/actions/runs/1/job/%s","checkSuite":{"workflowRun":{"event":"push","workflow":{"name":"CI"}}}}' "$@"; }
checks() {
  local rollup="{\"nodes\":[{\"commit\":{\"statusCheckRollup\":{\"contexts\":{\"nodes\":[$1],\"pageInfo\":{\"hasNextPage\":false}}}}}]}"
  answer 200 "{\"data\":{\"node\":{\"statusCheckRollup\":$rollup}}}" 'query PullRequestStatusChecks'
  answer 200 "{\"data\":{\"repository\":{\"pullRequest\":{\"id\":\"P5\",\"number\":5,\"headRefName\":\"topic\",\"statusCheckRollup\":$rollup}}}}" 'query PullRequestByNumber'
}
checks "$(run build COMPLETED SUCCESS 1),$(run test COMPLETED FAILURE 2)"
record gh pr checks 5
checks "$(run build COMPLETED SUCCESS 1),$(run test IN_PROGRESS '' 2)"
record gh pr checks 5 --required=false
checks "$(run build COMPLETED SUCCESS 1)"
record gh pr checks 5 -R octo/world
checks ''
record gh pr checks 5 --interval 10 --watch
clear_answers
workrun='{"id":7,"name":"CI","display_title":"CI","head_branch":"main","event":"push","status":"completed","conclusion":"failure","workflow_id":1,"created_at":"2024-05-01T10:00:00Z","updated_at":"2024-05-01T10:01:30Z","run_started_at":"2024-05-01T10:00:00Z","html_url":"https://github.com/octo/world/actions/runs/7","jobs_url":"https://api.github.com/repos/octo/world/actions/runs/7/jobs","check_suite_url":"https://api.github.com/repos/octo/world/check-suites/7","head_commit":{"message":"first"},"head_repository":{"owner":{"login":"octo"},"name":"world"}}'
answer 200 "$workrun" 'actions/runs/7[ ?]'
answer 200 '{"id":1,"name":"CI","path":".github/workflows/ci.yml","state":"active"}' 'actions/workflows/1[ ?]'
answer 200 '{"total_count":1,"jobs":[{"id":70,"name":"test","status":"completed","conclusion":"failure","started_at":"2024-05-01T10:00:00Z","completed_at":"2024-05-01T10:01:30Z","html_url":"https://github.com/octo/world/runs/70","steps":[{"name":"Run tests","status":"completed","conclusion":"failure","number":1}]}]}' 'runs/7/jobs'
answer 200 '[]' 'annotations'
answer 200 '{"total_count":0,"artifacts":[]}' 'artifacts'
record gh run view 7 --exit-status
record gh run download 7
record gh run watch 7 --exit-status
answer 403 '{"message":"Unable to retry this workflow run because it was created over a month ago","documentation_url":"https://docs.github.com/rest"}' 'rerun'
record gh run rerun 7
answer 409 '{"message":"Cannot cancel a workflow run that is completed.","documentation_url":"https://docs.github.com/rest"}' 'cancel'
record gh run cancel 7
answer 422 '{"message":"Workflow does not have '"'workflow_dispatch'"' trigger","documentation_url":"https://docs.github.com/rest"}' 'dispatches'
record gh workflow run 1
clear_answers
answer 422 '{"message":"Validation Failed","errors":[{"resource":"Release","code":"already_exists","field":"tag_name"}],"documentation_url":"https://docs.github.com/rest"}' 'POST /repos/octo/world/releases'
record gh release create v1 --notes first
record gh release upload v1 nofile.zip
answer 200 '{"data":{"repository":{"release":null}}}' 'query RepositoryReleaseByTag'
answer 200 '{"id":1,"tag_name":"v1","name":"v1","upload_url":"https://uploads.github.com/repos/octo/world/releases/1/assets{?name,label}","html_url":"https://github.com/octo/world/releases/tag/v1","assets":[{"name":"a.zip","url":"https://api.github.com/repos/octo/world/releases/assets/1"}]}' 'GET /repos/octo/world/releases'
touch a.zip; git add a.zip; git commit -q -m second
record gh release upload v1 a.zip
record gh release download v1 -p nope.tar
graphql_error UNPROCESSABLE 'Name already exists on this account' createRepository 'createRepository|RepositoryCreate'
answer 200 '{"login":"mona","type":"User"}' 'GET /users/'
record gh repo create world --private
answer 200 '{"data":{"createRepository":{"repository":{"id":"R2","name":"new","owner":{"login":"mona"},"url":"https://github.com/mona/new"}}}}' 'createRepository|RepositoryCreate'
record gh repo create new --private --source . --push
answer 410 '{"message":"Issues are disabled for this repo","documentation_url":"https://docs.github.com/rest"}'
record gh api repos/octo/world/issues
answer 422 '{"message":"Validation Failed","errors":[{"message":"The search is longer than 256 characters.","resource":"Search","field":"q","code":"invalid"}],"documentation_url":"https://docs.github.com/rest"}'
record gh search repos longer
answer 409 '{"message":"Git Repository is empty.","documentation_url":"https://docs.github.com/rest"}'
record gh api repos/octo/world/commits
clear_answers
answer 200 '[{"name":"a","color":"fff"}]' 'GET /user/repos'
record gh api user/repos --jq '.[].name'
answer 200 '{"login":"mona"}' 'GET /user '
record gh extension list
record gh alias set pv nope
record gh issue create -t "permission denied (HTTP 403)" -b "not found"
record gh repo clone octo/nope
