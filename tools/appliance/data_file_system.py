"""How the file system of the data partition is made: in the image, on a box that has to make it again (hw/image/overlay/usr/lib/smsrack/partitions has the
same words), and on the disks of tests."""

# metadata_csum_seed: another identifier is a matter of the superblock alone. resize: room for the group descriptors of 4 TiB, in blocks of 4 KiB; where it
# grows beyond, resize2fs moves tables, and a superblock torn meanwhile is repaired from a spare one whose descriptors say where they were: all is gone.
EXTENDED = ("resize=1073741824",)
MAKE = ("mkfs.ext4", "-q", "-F", "-T", "default", "-b", "4096", "-m", "1", "-J", "size=16", "-O", "metadata_csum_seed")


def make(*extended):
    """The command, which wants more options or the device. mke2fs believes the last -E alone: `extended` are more words of it."""
    return (*MAKE, "-E", ",".join((*EXTENDED, *extended)))
