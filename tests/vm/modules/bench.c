// SPDX-License-Identifier: GPL-2.0
/*
 * What a Pi has and a PC has not: an I2C bus with a display on it, and the number by which libraries know a Pi.
 *
 * The bus is /dev/i2c-1. What is written to address 0x3c is kept for who reads /dev/bench: for each message two bytes
 * of its length, the low one first, then the message. What is read from there is zero; no other address answers.
 *
 * In /sys/module/bench/parameters:
 *	left	 messages until nothing answers any more; -1: it always does
 *	stalled	 1: a message waits until this is 0 again, or its sender is killed
 *	lost	 messages that were not kept, since nobody read
 */
#include <linux/fs.h>
#include <linux/i2c.h>
#include <linux/kfifo.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>

#define ADDRESS 0x3c
#define ROOM (1 << 21)
#define REVISION "\x00\xc0\x31\x15"	/* a Pi 4, as its device tree has it */

static int left = -1;
module_param(left, int, 0644);
static bool stalled;
module_param(stalled, bool, 0644);
static unsigned long lost;
module_param(lost, ulong, 0444);

static DECLARE_KFIFO_PTR(kept, u8);
static DEFINE_MUTEX(lock);

static int hear(struct i2c_msg *message)
{
	u8 size[2] = { message->len & 255, message->len >> 8 };

	if (message->addr != ADDRESS || left == 0)
		return -EREMOTEIO;
	if (left > 0)
		left--;
	if (message->flags & I2C_M_RD) {
		memset(message->buf, 0, message->len);
	} else if (kfifo_avail(&kept) >= message->len + sizeof(size)) {
		kfifo_in(&kept, size, sizeof(size));
		kfifo_in(&kept, message->buf, message->len);
	} else {
		lost++;
	}
	return 0;
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int i, status = 0;

	while (READ_ONCE(stalled)) {
		if (fatal_signal_pending(current))
			return -EINTR;
		schedule_timeout_killable(HZ / 20);
	}
	mutex_lock(&lock);
	for (i = 0; i < count && !status; i++)
		status = hear(&messages[i]);
	mutex_unlock(&lock);
	return status ? status : count;
}

static u32 can(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm ways = { .master_xfer = transfer, .functionality = can };
static struct i2c_adapter bus = { .owner = THIS_MODULE, .algo = &ways, .name = "bench", .nr = 1 };

static ssize_t tell(struct file *file, char __user *to, size_t size, loff_t *at)
{
	unsigned int told = 0;
	int status;

	mutex_lock(&lock);
	status = kfifo_to_user(&kept, to, size, &told);
	mutex_unlock(&lock);
	return status ? status : told;
}

static const struct file_operations reading = { .owner = THIS_MODULE, .read = tell };
static struct miscdevice recorder = { .minor = MISC_DYNAMIC_MINOR, .name = "bench", .fops = &reading };

static int revision(struct seq_file *to, void *unused)
{
	seq_write(to, REVISION, 4);
	return 0;
}

static struct proc_dir_entry *tree;

static int __init begin(void)
{
	struct proc_dir_entry *system;
	int status = kfifo_alloc(&kept, ROOM, GFP_KERNEL);

	if (status)
		return status;
	status = misc_register(&recorder);
	if (status)
		goto no_recorder;
	status = i2c_add_numbered_adapter(&bus);
	if (status)
		goto no_bus;
	tree = proc_mkdir("device-tree", NULL);
	system = tree ? proc_mkdir("system", tree) : NULL;
	if (system && proc_create_single("linux,revision", 0444, system, revision))
		return 0;
	status = -ENOMEM;
	proc_remove(tree);
	i2c_del_adapter(&bus);
no_bus:
	misc_deregister(&recorder);
no_recorder:
	kfifo_free(&kept);
	return status;
}

static void __exit end(void)
{
	proc_remove(tree);
	i2c_del_adapter(&bus);
	misc_deregister(&recorder);
	kfifo_free(&kept);
}

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("An I2C display that keeps what it is sent, and a Pi's revision");
