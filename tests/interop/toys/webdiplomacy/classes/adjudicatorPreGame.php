<?php
class ToyVariant_adjudicatorPreGame extends adjudicatorPreGame {
	protected $countryUnits = array(
		'North' => array('Alp' => 'Army'),
		'South' => array('Cap' => 'Fleet')
	);
}
