# Sourced: what comment.sh and bless.sh ask GitHub. Texts from outside are read from files and variables, and never become part of a
# command.

# begins the comment, with the commit and the run that it is about
readonly marker='<!-- roundel golden'

# who the token speaks as; that of a workflow may not ask
author=$(gh api user 2>/dev/null | jq -r .login) || author=
[ -n "$author" ] || author='github-actions[bot]'

# comments NUMBER FILTER: our comments on a pull request, through a filter of jq
comments() {
    gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$1/comments?per_page=100" |
        jq -r --arg author "$author" --arg marker "$marker" ".[] | select(.user.login == \$author and (.body | startswith(\$marker))) | $2"
}

# download RUN FOLDER: what the tests of a run have left; fails if there is nothing
download() {
    rm -rf "$2"
    gh run download "$1" --repo "$GITHUB_REPOSITORY" --name "$ARTIFACT" --dir "$2"
}

# event FILTER: a value of the event
event() { jq -r "$1" "$GITHUB_EVENT_PATH"; }
