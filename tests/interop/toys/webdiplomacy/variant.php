<?php
class ToyVariant extends WDVariant {
	public $id = 900;
	public $name = 'Toy';
	public $fullName = 'Toy';
	public $countries = array('North', 'South');
	public function __construct() {
		parent::__construct();
		$this->variantClasses['adjudicatorPreGame'] = 'Toy';
		$this->variantClasses['drawMap'] = 'Toy';
	}
	public function initialize() { parent::initialize(); $this->supplyCenterTarget = 2; }
	public function turnAsDate($turn) {
		if ( $turn==-1 ) return "Pre-game";
		else return ( $turn % 2 ? "Autumn, " : "Spring, " ).(floor($turn/2) + 1700);
	}
	public function turnAsDateJS() { return ''; }
}
