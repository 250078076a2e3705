#!/bin/sh
# A ModemManager of the test's own, on a session bus of its own: it sends ten messages through the modem on an abstract
# socket and lists what it received.
#
#   dbus-run-session -- modemmanager.sh SOCKET LOG
#
# SOCKET  as ModemManager names it: abstract:NAME, the prefix included
set -eu
PATH=$PATH:/usr/sbin  # where Debian keeps ModemManager, and only root looks
socket=$1
export DBUS_SYSTEM_BUS_ADDRESS="$DBUS_SESSION_BUS_ADDRESS"  # mmcli knows that one alone

ModemManager --test-session --test-enable --test-no-udev --test-no-suspend-resume --debug >"$2" 2>&1 &
manager=$!
trap 'kill $manager 2>/dev/null; wait $manager' EXIT

# until_ok SECONDS COMMAND ...: repeats it five times a second, until it succeeds or the time is over.
until_ok() {
    tries=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || { echo "gave up: $*"; exit 1; }
        sleep 0.2
    done
}
service=org.freedesktop.ModemManager1
until_ok 20 dbus-send --session --print-reply --dest=$service /org/freedesktop/ModemManager1 \
    $service.Test.SetProfile string:rack string:wavecom "array:string:$socket"
until_ok 40 mmcli -m any
mmcli -m any --enable
until_ok 20 sh -c 'mmcli -m any -K | grep -q "modem.generic.state .*registered"'

for i in 0 1 2 3 4 5 6 7 8 9; do
    made=$(mmcli -m any --messaging-create-sms="text='hello $i',number='+3361234560$i'")
    mmcli -s "${made##*/}" --send
done
until_ok 20 sh -c '[ "$(mmcli -m any --messaging-list-sms | grep -c "(received)")" -ge 10 ]'
for sms in $(mmcli -m any --messaging-list-sms | sed -n 's|.*/SMS/\([0-9]*\) (received).*|\1|p'); do
    mmcli -s "$sms" -K | sed -n 's/^sms.content.text *: /received: /p'
done
