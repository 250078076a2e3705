"""How the file system of the data partition is made: in the image, on a box that has to make it anew (hw/image/overlay/usr/lib/smsrack/partitions has the
same words), and on the disks of tests."""

# metadata_csum_seed: another identifier is a matter of the superblock alone.
OPTIONS = ("-T", "default", "-b", "4096", "-m", "1", "-J", "size=16", "-O", "metadata_csum_seed")
MAKE = ("mkfs.ext4", "-q", "-F", *OPTIONS)
