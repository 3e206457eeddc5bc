#!/usr/bin/env bash
# Keeps one comment on a pull request up to date: which pictures differ, the worst of them, and what approves them.
set -euo pipefail
. "$ACTION/.ci/action/github.sh"
cd "$RUNNER_TEMP"

case $GITHUB_EVENT_NAME in
pull_request)
    if [ "$(event .pull_request.head.repo.full_name)" != "$GITHUB_REPOSITORY" ]; then
        echo '::notice::Workflows of forks may not comment; see "Pull requests from forks" in docs/testing.md'
        exit 0
    fi
    head=$(event .pull_request.head.sha) run=$GITHUB_RUN_ID numbers=$(event .pull_request.number)
    ;;
workflow_run)
    head=$(event .workflow_run.head_sha) run=$(event .workflow_run.id)
    # from the event alone: what the tests left may say anything
    branch=$(event '.workflow_run.head_repository.owner.login + ":" + .workflow_run.head_branch')
    numbers=$(gh api -X GET "repos/$GITHUB_REPOSITORY/pulls" -f state=open -f head="$branch" |
        jq -r --arg head "$head" '.[] | select(.head.sha == $head) | .number')
    [ -n "$numbers" ] || { echo '::notice::No open pull request has this commit'; exit 0; }
    download "$run" golden || { echo '::notice::The tests left no pictures'; exit 0; }
    ;;
esac

summary() {
    echo "$marker $head $run -->"
    "${ROUNDEL:-roundel}" golden summary golden --reply /bless "$@" \
        --link "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$run#artifacts"
}

failing=$("${ROUNDEL:-roundel}" golden summary golden --format json | jq '.pictures | length')
summary >comment.md
for number in $numbers; do
    before=$(comments "$number" .id)
    # agreement is worth a comment only if there was none before
    [ "$failing" != 0 ] || [ -n "$before" ] || continue
    # an upload needs a new comment; an old `gh` and the token of a workflow cannot attach files
    if [ "$failing" != 0 ] && gh pr comment --help 2>/dev/null | grep -q -e --attach; then
        rm -rf pictures
        summary --pictures pictures >with-pictures.md
        attach=()
        for picture in pictures/*.png; do attach+=(--attach "$picture"); done
        if gh pr comment "$number" --repo "$GITHUB_REPOSITORY" --body-file with-pictures.md "${attach[@]}"; then
            for id in $before; do gh api -X DELETE "repos/$GITHUB_REPOSITORY/issues/comments/$id"; done
            continue
        fi
        # pictures that could not all be attached may have left a comment
        before=$(comments "$number" .id)
    fi
    kept=
    for id in $before; do
        if [ -z "$kept" ]; then
            kept=$id
            gh api -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F body=@comment.md >/dev/null
        else
            gh api -X DELETE "repos/$GITHUB_REPOSITORY/issues/comments/$id"
        fi
    done
    [ -n "$kept" ] || gh pr comment "$number" --repo "$GITHUB_REPOSITORY" --body-file comment.md
done
