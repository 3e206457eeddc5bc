#!/usr/bin/env bash
# Commits the goldens that a reply names to the branch of its pull request. Nothing of the branch is run, and no word of the reply.
set -euo pipefail
. "$ACTION/.ci/action/github.sh"
cd "$RUNNER_TEMP"

[ "$(event '.issue.pull_request // empty')" ] && [ "$(event .action)" = created ] || exit 0
number=$(event .issue.number) user=$(event .comment.user.login) reply=$(event .comment.id)
event .comment.body >reply.txt
grep -q -E '^[[:space:]]*/bless([[:space:]]|$)' reply.txt || exit 0

react() { gh api -X POST "repos/$GITHUB_REPOSITORY/issues/comments/$reply/reactions" -f content="$1" >/dev/null; }

# refuse TEXT…: says why nothing is committed, in a block that shows every letter as it is
refuse() {
    react confused
    {
        echo 'Nothing is blessed:'
        echo
        printf '%s\n' "$@" | sed 's/^/    /'
    } >answer.md
    gh pr comment "$number" --repo "$GITHUB_REPOSITORY" --body-file answer.md
    exit 0
}

permission=$(gh api "repos/$GITHUB_REPOSITORY/collaborators/$user/permission" | jq -r .permission) || permission=none
case $permission in
admin | maintain | write) ;;
*)
    # whoever may not write is answered without words: anybody can reply
    react -1
    echo "::notice::$user may not write to the repository"
    exit 0
    ;;
esac

# the comment that the reply answers
read -r head run < <(comments "$number" .body | sed -n "s/^$marker \([0-9a-f]*\) \([0-9]*\) -->.*/\1 \2/p" | tail -n 1) || true
[ -n "${run:-}" ] || refuse 'no comment lists pictures of this pull request'
gh api "repos/$GITHUB_REPOSITORY/pulls/$number" >pull.json
repository=$(jq -r .head.repo.full_name pull.json) branch=$(jq -r .head.ref pull.json)
[ "$(jq -r .head.sha pull.json)" = "$head" ] || refuse "the pictures are those of $head, and the branch has moved on: wait for its tests"
download "$run" golden || refuse "the pictures of run $run are gone: run the tests again"

# for git alone, not on a command line
token=$(printf 'x-access-token:%s' "$GH_TOKEN" | base64 | tr -d '\n')
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$GITHUB_SERVER_URL/.extraheader" GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $token"
export GIT_LFS_SKIP_SMUDGE=1 GIT_TERMINAL_PROMPT=0
rm -rf repository
git clone --quiet --depth 1 --branch="$branch" -- "$GITHUB_SERVER_URL/$repository" repository || refuse "the branch $branch cannot be read"
cd repository
[ "$(git rev-parse HEAD)" = "$head" ] || refuse 'the branch has moved on: wait for its tests'
# pictures in Git LFS become pointers again
if grep -q -s 'filter=lfs' .gitattributes; then git lfs install --local; fi
# --force: CI is set here, and somebody has looked at the pictures
blessed=$("${ROUNDEL:-roundel}" golden bless . --from ../golden --reply ../reply.txt --force 2>&1) || refuse "$blessed"
git add --all --force
git diff --cached --quiet && refuse 'the goldens are these pictures already'
git config user.name 'github-actions[bot]'
git config user.email '41898282+github-actions[bot]@users.noreply.github.com'
printf 'Bless pictures\n\n%s\n\nAsked for by %s.\n' "$blessed" "$user" | git commit --quiet --cleanup=verbatim --file -
pushed=$(git push --quiet origin "HEAD:refs/heads/$branch" 2>&1) ||
    refuse "they cannot be pushed to $repository:" "$pushed" 'Approve them there with the command in the comment.'
react +1
