#!/bin/sh
# Post refunds
post_refunds() {
  refpost --day "$1" \
    --all
}
function clean {
  rm -f work
}
post_refunds today
