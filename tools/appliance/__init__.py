"""Images of a box: how they are built (tools/firmware), and how they are driven in QEMU (tools/boot-test, tools/update-test)."""
